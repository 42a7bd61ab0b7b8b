/** What is said to people who do not see the page. Not every piece of a text: what is done, and what waits. */
import { createStore, useStore } from "./store.ts";

const store = createStore("");

export function announce(sentence: string): void {
  // The same again would not be said again; a space more is another text.
  store.set(store.get() === sentence ? `${sentence}\u00a0` : sentence);
}

export function useAnnouncement(): string {
  return useStore(store);
}
