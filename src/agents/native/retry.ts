/** Trying again: seldom, visibly, and only where it can help. Whoever called decides about longer waits. */
import { setTimeout as wait } from "node:timers/promises";
import { errorInfo } from "../../events/errors.ts";
import type { ReinsError } from "../../events/errors.ts";
import { orEnd } from "../shared/endings.ts";
import type { Turn } from "./turn.ts";

const delays = [300, 1_500];
/** A service that says to come back later than this is left to the caller. */
const longestMs = 5_000;

/** How long to wait before another attempt; undefined where there is to be none. `failures` counts this one. */
export function delayFor(error: ReinsError, failures: number, now: number): number | undefined {
  const usual = delays[failures - 1];
  if (usual === undefined || !["rate_limited", "overloaded", "network"].includes(error.code)) return undefined;
  const told = error.resetsAt === undefined ? usual : Math.max(usual, Date.parse(error.resetsAt) - now);
  return told > longestMs ? undefined : told;
}

export async function waitVisibly(turn: Turn, error: ReinsError, failures: number, delay: number): Promise<void> {
  await turn.emit({ type: "turn.phase", phase: "retry" });
  const event = { attempt: failures, ofMax: delays.length, delayMs: Math.round(delay), error: errorInfo(error) };
  await turn.emit({ type: "agent.retrying", ...event });
  const timer = new AbortController();
  try {
    await orEnd(turn.signal, wait(delay, undefined, { signal: timer.signal }));
  } finally {
    timer.abort();
  }
}
