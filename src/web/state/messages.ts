/** Toasts, and announcements for screen readers. */
import { sentenceOf } from "./server.ts";
import { createStore } from "./store.ts";

interface Toast {
  readonly id: number;
  readonly tone: "info" | "good" | "bad";
  readonly text: string;
}

export const toasts = createStore<readonly Toast[]>([]);
let last = 0;

export function toast(text: string, tone: Toast["tone"] = "info"): void {
  const id = ++last;
  toasts.set([...toasts.get().slice(-3), { id, tone, text }]);
  setTimeout(() => dismissToast(id), tone === "bad" ? 12_000 : 5_000);
}

export function toastError(thrown: unknown): void {
  toast(sentenceOf(thrown), "bad");
}

export function dismissToast(id: number): void {
  toasts.set(toasts.get().filter((one) => one.id !== id));
}

export const announcement = createStore("");

export function announce(sentence: string): void {
  // A screen reader does not repeat an unchanged text; the added space makes it a new one.
  announcement.set(announcement.get() === sentence ? `${sentence}\u00a0` : sentence);
}
