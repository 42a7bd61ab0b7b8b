/** What is known of a failure, and what it means: agents' folders classify, and the protocols are given how. */
import type { ErrorCode, ErrorInfo } from "../events/errors.ts";
import type { Outcome } from "../events/types.ts";
import type { Exit } from "../process/types.ts";

export interface FailureFacts {
  /** The agent's own class of it: `usageLimitExceeded`, `rpc:-32000`. */
  readonly kind?: string | undefined;
  /** The HTTP status of the model's service. */
  readonly status?: number | undefined;
  /** The service's type or code of it: `insufficient_quota`. */
  readonly type?: string | undefined;
  /** What was said about it; may be, or contain, the service's JSON. */
  readonly text: string;
  /** What the service answered, beside that. */
  readonly body?: string | undefined;
  /** When a limit is over, where that was told as a time. */
  readonly resetsAt?: string | undefined;
  /** As in the header of that name: seconds or a date. */
  readonly retryAfter?: string | undefined;
  /** The process ended. */
  readonly exit?: Exit | undefined;
  readonly stderr?: string | undefined;
  /** It printed something, and nothing of it was a message. */
  readonly onlyGarbage?: boolean | undefined;
}

/** How a turn ended. */
export interface Ending {
  readonly outcome: Outcome;
  readonly error?: ErrorInfo | undefined;
}

/** Never throws. `now` is when it happened, for a wait that is told as a duration. */
export type Classify = (facts: FailureFacts, now?: number) => Ending;

export interface InfoDetails {
  /** Help of its own, instead of that for its code. */
  readonly help?: string | undefined;
  readonly resetsAt?: string | undefined;
}

/** What one agent's failures mean. */
export interface Classifier {
  /** How a turn ends with it. */
  readonly ending: Classify;
  /** As an error, where no turn ends: a retry, a notice, a prompt that was not taken. */
  error(facts: FailureFacts, now?: number): ErrorInfo;
  /** The end of its process. */
  exit(exit: Exit, stderr: string, onlyGarbage?: boolean, now?: number): ErrorInfo;
  /** One whose code is known, with what to do. */
  info(code: ErrorCode, message: string, more?: InfoDetails): ErrorInfo;
}
