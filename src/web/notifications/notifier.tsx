import { useEffect, useRef } from "react";
import { oneLine } from "../../events/printable.ts";
import { navigate, sessionPath } from "../state/route.ts";
import { useSessions } from "../state/sessions.ts";
import { useNotificationsAllowed } from "./allowed.ts";
import { newlyWaiting, requestsOf } from "./newly-waiting.ts";

/** Tells that a session waits for an answer when nobody looks at the page. */
export function Notifier() {
  const { sessions, loaded } = useSessions();
  const allowed = useNotificationsAllowed();
  const before = useRef<ReadonlySet<string>>(undefined);
  useEffect(() => {
    if (!loaded) return;
    const known = before.current;
    before.current = requestsOf(sessions);
    // What waited when the page was opened is seen on it.
    if (known === undefined || allowed !== "on" || document.visibilityState === "visible") return;
    for (const { id, title } of newlyWaiting(known, sessions)) tell(id, title);
  }, [sessions, loaded, allowed]);
  return null;
}

function tell(id: string, title = ""): void {
  const words = oneLine(title).slice(0, 120);
  const told = shown("A session waits for your answer", { body: words, tag: id });
  if (told === undefined) return;
  told.addEventListener("click", () => {
    window.focus();
    navigate(sessionPath(id));
    told.close();
  });
}

/** Some browsers, on phones, have the word and refuse to make one. */
function shown(title: string, options: NotificationOptions): Notification | undefined {
  try {
    return new Notification(title, options);
  } catch {
    return undefined;
  }
}
