/** Waiting with an end. */
import { setTimeout } from "node:timers/promises";

/** Whether it was fulfilled before the time was over; rejects with it. Leaves no timer behind that would keep the process from ending. */
export async function within(ms: number, promise: Promise<unknown>): Promise<boolean> {
  const abort = new AbortController();
  const late = setTimeout(ms, false, { signal: abort.signal }).catch(() => false);
  return Promise.race([promise.then(() => true), late]).finally(() => abort.abort());
}
