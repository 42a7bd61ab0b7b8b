/** Tells about sessions that wait for an answer: by desktop notifications and in the title of the tab. */
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

export const allowedStore = createStore<Allowed>(now());

/** Call it from a click: browsers ask for permission only after a user action. */
export async function allowNotifications(): Promise<void> {
  const answer = await Notification.requestPermission();
  keep("notifications", "on");
  allowedStore.set(answer === "granted" ? "on" : now());
}

export function stopNotifications(): void {
  keep("notifications", "off");
  allowedStore.set("off");
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

/** Sets the title of the tab. The number of waiting sessions comes first, to be visible from another tab. */
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
  const allowed = useStore(allowedStore);
  const before = useRef<ReadonlySet<string>>(undefined);
  useEffect(() => {
    if (!loaded) return;
    const known = before.current;
    before.current = requestsOf(sessions);
    // Requests that were pending when the page was opened are visible on it.
    if (known === undefined || allowed !== "on" || document.visibilityState === "visible") return;
    for (const { id, title } of newlyWaiting(known, sessions)) tell(id, title);
  }, [sessions, loaded, allowed]);
  return null;
}

function tell(id: string, title = ""): void {
  const body = oneLine(title).slice(0, 120);
  try {
    const told = new Notification("Waiting for your answer", { body, tag: id });
    told.addEventListener("click", () => {
      window.focus();
      navigate(sessionPath(id));
      told.close();
    });
  } catch {
    // Some mobile browsers have the Notification API but throw when one is created.
  }
}
