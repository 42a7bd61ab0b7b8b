/** Exceptions that end a turn or a tool early. */
import { setTimeout as wait } from "node:timers/promises";
import type { ErrorInfo } from "../../../events/errors.ts";
import type { AgentEventOf, Outcome } from "../../../events/types.ts";

/** Ends the turn: a cancel, a failure that was asked for, a denial that said stop. */
export class EndTurn extends Error {
  readonly outcome: Outcome;
  readonly error: ErrorInfo | undefined;

  constructor(outcome: Outcome, error?: ErrorInfo) {
    super(error?.message ?? outcome);
    this.outcome = outcome;
    this.error = error;
  }
}

/** Ends the tool, and the turn goes on. */
export class ToolProblem extends Error {
  readonly reason: AgentEventOf<"tool.failed">["reason"];
  readonly code: string | undefined;
  /** The output so far. */
  readonly output: string | undefined;

  constructor(message: string, reason: ToolProblem["reason"] = "error", code?: string, output?: string) {
    super(message);
    this.reason = reason;
    this.code = code;
    this.output = output;
  }
}

/** Waits for the promise or the end of the turn, whichever is first. */
export async function orEnd<Value>(signal: AbortSignal, promise: Promise<Value>): Promise<Value> {
  // Once the turn has ended nobody awaits the promise, and it may reject then.
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

/** Waits, and leaves no timer behind when the turn ends meanwhile. */
export async function sleepOrEnd(signal: AbortSignal, ms: number): Promise<void> {
  const timer = new AbortController();
  try {
    await orEnd(signal, wait(ms, undefined, { signal: timer.signal }));
  } finally {
    timer.abort();
  }
}
