/** Short messages at the edge of the page. */
import { sentenceOf } from "./api.ts";
import { createStore, useStore } from "./store.ts";

export interface Toast {
  readonly id: number;
  readonly tone: "info" | "good" | "bad";
  readonly text: string;
}

const store = createStore<readonly Toast[]>([]);
let last = 0;

export function toast(text: string, tone: Toast["tone"] = "info"): void {
  const id = ++last;
  store.set([...store.get().slice(-3), { id, tone, text }]);
  setTimeout(() => dismissToast(id), tone === "bad" ? 12_000 : 5_000);
}

/** What went wrong with something that a person did. */
export function toastError(thrown: unknown): void {
  toast(sentenceOf(thrown), "bad");
}

export function dismissToast(id: number): void {
  store.set(store.get().filter((one) => one.id !== id));
}

export function useToasts(): readonly Toast[] {
  return useStore(store);
}
