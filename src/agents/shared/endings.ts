/** The ways a turn or a tool ends before its time, as exceptions. */
import type { ErrorInfo } from "../../events/errors.ts";
import type { Outcome } from "../../events/types.ts";

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
  readonly reason: "error" | "denied";
  readonly code: string | undefined;

  constructor(message: string, reason: "error" | "denied" = "error", code?: string) {
    super(message);
    this.reason = reason;
    this.code = code;
  }
}

/** The promise, or the end of the turn, whichever is first. */
export async function orEnd<Value>(signal: AbortSignal, promise: Promise<Value>): Promise<Value> {
  // Where the turn has ended nobody waits for it any more, and it may well fail then.
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
