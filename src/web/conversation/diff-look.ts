/** Whether diffs stand in one column or in two: a person's taste, kept in this browser. */
import { createStore, useStore } from "../state/store.ts";

export type DiffLook = "unified" | "split";
const key = "reins.diff";

const store = createStore<DiffLook>(stored());

function stored(): DiffLook {
  try {
    return localStorage.getItem(key) === "split" ? "split" : "unified";
  } catch {
    return "unified";
  }
}

export function useDiffLook(): DiffLook {
  return useStore(store);
}

export function setDiffLook(look: DiffLook): void {
  store.set(look);
  try {
    localStorage.setItem(key, look);
  } catch {
    // It counts until the page is closed.
  }
}
