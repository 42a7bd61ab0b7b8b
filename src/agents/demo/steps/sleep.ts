import { setTimeout as wait } from "node:timers/promises";
import { orEnd } from "../../shared/endings.ts";
import type { Turn } from "../turn.ts";

export async function sleep(turn: Turn, ms: number): Promise<void> {
  const timer = new AbortController();
  const over = wait(ms, undefined, { signal: timer.signal });
  // Where the turn ends first nobody waits for it any more.
  over.catch(() => undefined);
  try {
    await orEnd(turn.signal, over);
  } finally {
    timer.abort();
  }
  turn.notes.push(`Slept ${ms} ms`);
}
