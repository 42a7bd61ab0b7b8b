/** Lets other parts of the page start a session search: the sidebar opens with it. */
import { createStore } from "../state/store.ts";

export const soughtSessions = createStore<{ readonly words: string } | undefined>(undefined);

export function findSessions(words: string): void {
  soughtSessions.set({ words });
}
