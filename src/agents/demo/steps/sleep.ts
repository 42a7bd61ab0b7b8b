import { setTimeout as wait } from "node:timers/promises";
import { orEnd } from "../../shared/endings.ts";
import type { Turn } from "../turn.ts";

export async function sleep(turn: Turn, ms: number): Promise<void> {
  const timer = new AbortController();
  try {
    await orEnd(turn.signal, wait(ms, undefined, { signal: timer.signal }));
  } finally {
    timer.abort();
  }
  turn.notes.push(`Slept ${ms} ms`);
}
