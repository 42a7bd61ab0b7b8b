/** Every error code, whether trying again can help, and what it means. `docs/errors.md` is this table for people. */
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
  budget_exceeded: { retryable: false, meaning: "A limit that was set on what may be spent is reached." },
  agent_crashed: { retryable: true, meaning: "The agent's process ended in the middle of something." },
  agent_error: { retryable: false, meaning: "The agent reported a failure that Reins does not know." },
  agent_hung: { retryable: true, meaning: "The agent's process no longer answers its protocol." },
  protocol_error: { retryable: false, meaning: "The agent said something its protocol does not allow." },
  network: { retryable: true, meaning: "The model's service could not be reached, or the connection was cut." },
  permission_denied: { retryable: false, meaning: "The policy or a person did not allow it." },
  session_not_found: { retryable: false, meaning: "There is no such session, or its state is not this agent's." },
  session_busy: { retryable: true, meaning: "The session is already working on a prompt." },
  invalid_input: { retryable: false, meaning: "What was asked for is not possible as it stands." },
  cancelled: { retryable: false, meaning: "The caller cancelled it." },
  timeout: { retryable: true, meaning: "A deadline passed." },
  unsupported: { retryable: false, meaning: "This agent cannot do this." },
  internal: { retryable: false, meaning: "A defect in Reins. Please report it." },
} as const satisfies Record<string, { retryable: boolean; meaning: string }>;

export type ErrorCode = keyof typeof errorTable;

export const errorCodes = Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]];

/** The plain form of a ReinsError, as in events and in JSON. */
export interface ErrorInfo {
  code: ErrorCode;
  /** One plain sentence: what happened, to what. */
  message: string;
  retryable: boolean;
  agent?: string | undefined;
  /** When a limit is over, ISO 8601. */
  resetsAt?: string | undefined;
  /** What the person should do next. */
  help?: string | undefined;
}

export interface ErrorDetails {
  agent?: string | undefined;
  retryable?: boolean | undefined;
  resetsAt?: string | undefined;
  help?: string | undefined;
  cause?: unknown;
}

/** The one error class. Recognise it by `code` (or `isReinsError`), never by `instanceof`: two copies of a package may be loaded. */
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

export function isReinsError(value: unknown): value is ReinsError {
  return value instanceof Error && "code" in value && typeof value.code === "string" && value.code in errorTable;
}

/** Wraps anything else than a ReinsError as `internal`: a defect of Reins. */
export function toReinsError(thrown: unknown): ReinsError {
  if (isReinsError(thrown)) return thrown;
  return new ReinsError("internal", thrown instanceof Error ? thrown.message : String(thrown), { cause: thrown });
}

/** The plain form without undefined keys. */
export function errorInfo(error: ErrorInfo): ErrorInfo {
  const info: ErrorInfo = { code: error.code, message: error.message, retryable: error.retryable };
  if (error.agent !== undefined) info.agent = error.agent;
  if (error.resetsAt !== undefined) info.resetsAt = error.resetsAt;
  if (error.help !== undefined) info.help = error.help;
  return info;
}
