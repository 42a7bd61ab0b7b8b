/** It tries again, and says so. */
import { number, record } from "../../drivers/stream-json/read.ts";
import type { AgentEventOf } from "../../events/types.ts";
import { isHopeless, retryErrorOf } from "./errors.ts";

/** As often as it may; its own patience has no end. */
const mostRetries = 2;

export interface Retry {
  readonly event: AgentEventOf<"agent.retrying">;
  /** Once too often, or in vain: the turn fails with the error of the event. */
  readonly over: boolean;
}

/** `status` is one of the type `retry`. */
export function retryIn(status: unknown, parent: string | undefined, now: number): Retry {
  const { attempt: told, next, message } = record(status);
  const attempt = number(told) ?? 1;
  const delayMs = Math.max(0, (number(next) ?? now) - now);
  const error = retryErrorOf(message, delayMs, now);
  return {
    event: { type: "agent.retrying", attempt, ofMax: mostRetries, delayMs, error, parent },
    over: attempt > mostRetries || isHopeless(error, delayMs),
  };
}
