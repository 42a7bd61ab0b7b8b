/** Tells of sessions that wait: by the system's notifications, and in the title of the tab. */
import { useEffect, useRef } from "react";
import { oneLine } from "../../events/printable.ts";
import type { SessionSummary } from "../../server/schemas/sessions.ts";
import { navigate, sessionPath } from "../state/route.ts";
import { useSessions } from "../state/sessions.ts";
import { createStore, keep, readKept, useStore } from "../state/store.ts";

export type Allowed = "on" | "off" | "denied" | "impossible";

function now(): Allowed {
  if (typeof Notification === "undefined") return "impossible";
  if (Notification.permission === "denied") return "denied";
  return Notification.permission === "granted" && readKept("notifications") === "on" ? "on" : "off";
}

const store = createStore<Allowed>(now());

export function useNotificationsAllowed(): Allowed {
  return useStore(store);
}

/** Browsers ask only when somebody pressed something. */
export async function allowNotifications(): Promise<void> {
  const answer = await Notification.requestPermission();
  keep("notifications", "on");
  store.set(answer === "granted" ? "on" : now());
}

export function stopNotifications(): void {
  keep("notifications", "off");
  store.set("off");
}

type Waits = Pick<SessionSummary, "id" | "waiting">;

export function requestsOf(sessions: readonly Waits[]): ReadonlySet<string> {
  return new Set(sessions.flatMap(({ id, waiting }) => waiting.map((request) => `${id} ${request}`)));
}

export function newlyWaiting<Session extends Waits>(
  before: ReadonlySet<string>,
  sessions: readonly Session[],
): readonly Session[] {
  return sessions.filter(({ id, waiting }) => waiting.some((request) => !before.has(`${id} ${request}`)));
}

/** The title of the browser's tab: how many sessions wait for somebody stands first, to be seen from another tab. */
export function usePageTitle(title: string): void {
  const { sessions } = useSessions();
  const waiting = sessions.filter((session) => session.waiting.length > 0).length;
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${title} · Reins`;
  }, [title, waiting]);
}

/** Notifies about a new request while the page is hidden. */
export function Notifier() {
  const { sessions, loaded } = useSessions();
  const allowed = useNotificationsAllowed();
  const before = useRef<ReadonlySet<string>>(undefined);
  useEffect(() => {
    if (!loaded) return;
    const known = before.current;
    before.current = requestsOf(sessions);
    // Requests that waited when the page was opened are seen on it.
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
