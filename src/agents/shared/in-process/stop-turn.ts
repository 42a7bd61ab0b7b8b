/** Exceptions that end a turn or a tool early. */
import { setTimeout as wait } from "node:timers/promises";
import type { ErrorInfo } from "../../../events/errors.ts";
import type { AgentEventOf, Outcome } from "../../../events/types.ts";

/** Ends the turn: a cancel, a requested failure, or a denial with `stop`. */
export class EndTurn extends Error {
  readonly outcome: Outcome;
  readonly error: ErrorInfo | undefined;

  constructor(outcome: Outcome, error?: ErrorInfo) {
    super(error?.message ?? outcome);
    this.outcome = outcome;
    this.error = error;
  }
}

/** Ends the tool call; the turn continues. */
export class ToolProblem extends Error {
  readonly reason: AgentEventOf<"tool.failed">["reason"];
  readonly code: string | undefined;
  readonly output: string | undefined;

  constructor(message: string, reason: ToolProblem["reason"] = "error", code?: string, output?: string) {
    super(message);
    this.reason = reason;
    this.code = code;
    this.output = output;
  }
}

/** Waits for the promise or for the end of the turn, whichever comes first. */
export async function orEnd<Value>(signal: AbortSignal, promise: Promise<Value>): Promise<Value> {
  // After the turn has ended nobody awaits the promise, and an unhandled rejection would end the process.
  promise.catch(() => undefined);
  signal.throwIfAborted();
  const ended = Promise.withResolvers<never>();
  const stop = (): void => ended.reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([promise, ended.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Waits, and clears its timer when the turn ends first. */
export async function sleepOrEnd(signal: AbortSignal, ms: number): Promise<void> {
  const timer = new AbortController();
  try {
    await orEnd(signal, wait(ms, undefined, { signal: timer.signal }));
  } finally {
    timer.abort();
  }
}
