/** Facts about a failure and their classification. Agents' folders classify; protocols are given how. */
import type { ErrorCode, ErrorInfo } from "../events/errors.ts";
import type { Outcome } from "../events/types.ts";
import type { Exit } from "../process/types.ts";

export interface FailureFacts {
  /** The agent's own class: `usageLimitExceeded`, `rpc:-32000`. */
  readonly kind?: string | undefined;
  /** The HTTP status of the model's service. */
  readonly status?: number | undefined;
  /** The service's type or code: `insufficient_quota`. */
  readonly type?: string | undefined;
  /** The message; may be, or contain, the service's JSON. */
  readonly text: string;
  /** The service's answer beside the message. */
  readonly body?: string | undefined;
  /** When a limit is over, where the wire has a time. */
  readonly resetsAt?: string | undefined;
  /** As in the HTTP header: seconds or a date. */
  readonly retryAfter?: string | undefined;
  /** The process ended. */
  readonly exit?: Exit | undefined;
  readonly stderr?: string | undefined;
  /** The process printed something, but no message. */
  readonly onlyGarbage?: boolean | undefined;
}

export interface Ending {
  readonly outcome: Outcome;
  readonly error?: ErrorInfo | undefined;
}

/** Never throws. `now`: when it happened, for a wait that is given as a duration. */
export type Classify = (facts: FailureFacts, now?: number) => Ending;

export interface InfoDetails {
  /** Instead of the help for the code. */
  readonly help?: string | undefined;
  readonly resetsAt?: string | undefined;
}

/** Classifies the failures of one agent. */
export interface Classifier {
  readonly ending: Classify;
  /** For a failure that ends no turn: a retry, a notice, a prompt that was refused. */
  error(facts: FailureFacts, now?: number): ErrorInfo;
  exit(exit: Exit, stderr: string, onlyGarbage?: boolean, now?: number): ErrorInfo;
  /** For a known code; adds the help. */
  info(code: ErrorCode, message: string, more?: InfoDetails): ErrorInfo;
}
