/** Failures of an agent as errors for people: what happened, and what to do next. */
import { errorTable } from "../../events/errors.ts";
import type { ErrorCode, ErrorInfo } from "../../events/errors.ts";
import type { Outcome } from "../../events/types.ts";

type ErrorHelp = Readonly<Partial<Record<ErrorCode, string>>>;

/** What to do whichever agent it is. */
export const usualHelp: ErrorHelp = {
  model_unknown: "Choose another model.",
  rate_limited: "Wait a moment and try again.",
  overloaded: "Try again in a moment.",
  context_too_long: "Start a new session, or send /compact first.",
  network: "Check the connection and try again.",
  session_not_found: "Start a new session.",
  refused: "Rephrase the request in a new session, or choose another model.",
};

/** How a turn ended. */
export interface Ending {
  readonly outcome: Outcome;
  readonly error?: ErrorInfo | undefined;
}

export type ErrorInfoOf = (
  code: ErrorCode,
  message: string,
  /** Help of its own, instead of that for its code. */
  more?: { readonly help?: string | undefined; readonly resetsAt?: string | undefined },
) => ErrorInfo;

export function errorInfoFor(agent: string, help: ErrorHelp): ErrorInfoOf {
  return (code, message, more = {}) => {
    const info: ErrorInfo = { code, message, retryable: errorTable[code].retryable, agent };
    const advice = more.help ?? help[code];
    if (advice !== undefined) info.help = advice;
    if (more.resetsAt !== undefined) info.resetsAt = more.resetsAt;
    return info;
  };
}
