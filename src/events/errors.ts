/** All error codes: whether a retry can help, and the meaning. The same table, for people, is in `docs/errors.md`. */
export const errorTable = {
  not_installed: { retryable: false, meaning: "The agent's program is not on this machine." },
  not_authenticated: { retryable: false, meaning: "The agent is not signed in, or its key was refused." },
  version_unsupported: { retryable: false, meaning: "The installed version of the agent cannot do this." },
  model_unknown: { retryable: false, meaning: "The agent or its service does not know this model." },
  rate_limited: { retryable: true, meaning: "Too many requests in a short time." },
  quota_exhausted: { retryable: false, meaning: "The plan's allowance or the credit is used up." },
  overloaded: { retryable: true, meaning: "The model's service is overloaded or answers with a server error." },
  context_too_long: { retryable: false, meaning: "The conversation no longer fits into the model's context." },
  refused: { retryable: false, meaning: "The model declined to answer." },
  budget_exceeded: { retryable: false, meaning: "A budget limit is reached." },
  agent_crashed: { retryable: true, meaning: "The agent's process ended unexpectedly." },
  agent_error: { retryable: false, meaning: "The agent reported an unknown failure." },
  agent_hung: { retryable: true, meaning: "The agent's process no longer answers its protocol." },
  protocol_error: { retryable: false, meaning: "The agent sent a message that its protocol does not allow." },
  network: { retryable: true, meaning: "The model's service could not be reached, or the connection was cut." },
  permission_denied: { retryable: false, meaning: "A rule or a person denied the action." },
  session_not_found: {
    retryable: false,
    meaning: "The session does not exist, or its state belongs to another agent.",
  },
  session_busy: { retryable: true, meaning: "The session is already working on a prompt." },
  invalid_input: { retryable: false, meaning: "The request is invalid." },
  cancelled: { retryable: false, meaning: "The caller cancelled the request." },
  timeout: { retryable: true, meaning: "A deadline passed." },
  unsupported: { retryable: false, meaning: "This agent cannot do this." },
  internal: { retryable: false, meaning: "A defect in Reins. Please report it." },
} as const satisfies Record<string, { retryable: boolean; meaning: string }>;

/** A stable error code, such as `rate_limited`. `errorTable` lists all of them. */
export type ErrorCode = keyof typeof errorTable;

export const errorCodes = Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]];

/** A ReinsError as plain data, as in events and JSON. */
export interface ErrorInfo {
  /** Stable code. Recognise an error by its code. */
  code: ErrorCode;
  /** A plain sentence that says what happened. */
  message: string;
  /** True when the same request may succeed later. */
  retryable: boolean;
  /** Id of the agent that failed. */
  agent?: string | undefined;
  /** When the limit resets, ISO 8601. Set for `rate_limited` and `quota_exhausted` when the agent reports it. */
  resetsAt?: string | undefined;
  /** Advice on what the user should do next, such as a command to run. */
  help?: string | undefined;
}

/** Optional fields of a new ReinsError. `retryable` defaults to the value in `errorTable`. */
export interface ErrorDetails {
  agent?: string | undefined;
  retryable?: boolean | undefined;
  resetsAt?: string | undefined;
  help?: string | undefined;
  cause?: unknown;
}

/**
 * The only error class of Reins. Recognise it by `code` or with `isReinsError`, never with `instanceof`: two copies
 * of the package may be loaded.
 */
export class ReinsError extends Error implements ErrorInfo {
  override readonly name = "ReinsError";
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly agent: string | undefined;
  readonly resetsAt: string | undefined;
  readonly help: string | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.retryable = details.retryable ?? errorTable[code].retryable;
    this.agent = details.agent;
    this.resetsAt = details.resetsAt;
    this.help = details.help;
  }

  toJSON(): ErrorInfo {
    return errorInfo(this);
  }
}

/** True for any ReinsError, also one from another copy of the package. */
export function isReinsError(value: unknown): value is ReinsError {
  return value instanceof Error && "code" in value && typeof value.code === "string" && value.code in errorTable;
}

/** Wraps anything that is not a ReinsError as `internal`, a defect in Reins. */
export function toReinsError(thrown: unknown): ReinsError {
  if (isReinsError(thrown)) return thrown;
  return new ReinsError("internal", thrown instanceof Error ? thrown.message : String(thrown), { cause: thrown });
}

/** Copies only the fields that are set. */
export function errorInfo(error: ErrorInfo): ErrorInfo {
  const info: ErrorInfo = { code: error.code, message: error.message, retryable: error.retryable };
  if (error.agent !== undefined) info.agent = error.agent;
  if (error.resetsAt !== undefined) info.resetsAt = error.resetsAt;
  if (error.help !== undefined) info.help = error.help;
  return info;
}
