/** Facts about a failure, and their classification. Agents' folders classify; protocols receive the classifier. */
import type { ErrorCode, ErrorInfo } from "../events/errors.ts";
import type { Outcome } from "../events/types.ts";
import type { Exit } from "../process/types.ts";

export interface FailureFacts {
  /** The agent's own class of the failure: `usageLimitExceeded`, `rpc:-32000`. */
  readonly kind?: string | undefined;
  /** The HTTP status of the model's service. */
  readonly status?: number | undefined;
  /** The service's error type or code: `insufficient_quota`. */
  readonly type?: string | undefined;
  /** The message. May be, or contain, the service's JSON. */
  readonly text: string;
  /** The service's answer, in addition to the message. */
  readonly body?: string | undefined;
  /** When a limit resets, if the wire gives a time. */
  readonly resetsAt?: string | undefined;
  /** As in the HTTP header `retry-after`: seconds or a date. */
  readonly retryAfter?: string | undefined;
  /** Set when the process ended. */
  readonly exit?: Exit | undefined;
  readonly stderr?: string | undefined;
  /** The process printed text, but no protocol message. */
  readonly onlyGarbage?: boolean | undefined;
}

export interface Ending {
  readonly outcome: Outcome;
  readonly error?: ErrorInfo | undefined;
}

/** Must not throw. `now`: when the failure happened, the base for a wait given as a duration. */
export type Classify = (facts: FailureFacts, now?: number) => Ending;

export interface InfoDetails {
  /** Replaces the help text of the code. */
  readonly help?: string | undefined;
  readonly resetsAt?: string | undefined;
}

export interface Classifier {
  readonly ending: Classify;
  /** For a failure that does not end a turn: a retry, a notice, a refused prompt. */
  error(facts: FailureFacts, now?: number): ErrorInfo;
  exit(exit: Exit, stderr: string, onlyGarbage?: boolean, now?: number): ErrorInfo;
  /** For a known code; adds the help text. */
  info(code: ErrorCode, message: string, more?: InfoDetails): ErrorInfo;
}
