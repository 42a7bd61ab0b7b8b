/** Whether the person wants to be told when a session waits and the page is not seen; kept in this browser. */
import { createStore, useStore } from "../state/store.ts";

export type Allowed = "on" | "off" | "denied" | "impossible";

const key = "reins.notifications";

function now(): Allowed {
  if (typeof Notification === "undefined") return "impossible";
  if (Notification.permission === "denied") return "denied";
  return Notification.permission === "granted" && wanted() ? "on" : "off";
}

/** A browser may forbid to keep anything. */
function wanted(): boolean {
  try {
    return localStorage.getItem(key) === "on";
  } catch {
    return false;
  }
}

function keep(value: "on" | "off"): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // It counts until the page is closed.
  }
}

const store = createStore<Allowed>(now());

export function useNotificationsAllowed(): Allowed {
  return useStore(store);
}

/** Browsers ask only when somebody pressed something. */
export async function allowNotifications(): Promise<void> {
  const answer = await Notification.requestPermission();
  keep("on");
  store.set(answer === "granted" ? "on" : now());
}

export function stopNotifications(): void {
  keep("off");
  store.set("off");
}
