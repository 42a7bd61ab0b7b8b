/** Errors as clients see them: a status and one shape. Never a stack. */
import { ReinsError, errorInfo, isReinsError, type ErrorCode, type ErrorDetails } from "../events/errors.ts";
import type { App } from "./endpoint.ts";
import type { ErrorAnswer } from "./schemas/common.ts";

/** Only a defect of Reins is a 5xx; a failure of an agent or its service is a 424. */
const statuses = {
  not_installed: 424,
  not_authenticated: 424,
  version_unsupported: 424,
  model_unknown: 400,
  rate_limited: 429,
  quota_exhausted: 429,
  overloaded: 424,
  context_too_long: 422,
  refused: 422,
  budget_exceeded: 409,
  agent_crashed: 424,
  agent_error: 424,
  agent_hung: 424,
  protocol_error: 424,
  network: 424,
  permission_denied: 403,
  session_not_found: 404,
  session_busy: 409,
  invalid_input: 400,
  cancelled: 409,
  timeout: 424,
  unsupported: 422,
  internal: 500,
} as const satisfies Record<ErrorCode, number>;

/** For errors whose status is more specific than the code. */
export class HttpError extends ReinsError {
  readonly status: number;

  constructor(status: number, code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(code, message, details);
    this.status = status;
  }
}

export function stops(): HttpError {
  return new HttpError(409, "network", "The server is stopping.");
}

export function statusOf(error: unknown): number {
  if (error instanceof HttpError) return error.status;
  return isReinsError(error) ? statuses[error.code] : 500;
}

/** Hides the details of a defect, because its message may contain anything. */
export function answerOf(error: unknown): ErrorAnswer {
  if (isReinsError(error) && error.code !== "internal") return { error: errorInfo(error) };
  return {
    error: {
      code: "internal",
      message: "Something went wrong in the server.",
      retryable: false,
      help: "See the log of the server, and please report it.",
    },
  };
}

/** The path does not exist, or not with this method. */
export function notFound(app: App, path: string): HttpError & { readonly allow: readonly string[] } {
  const allow = methodsAt(app, path);
  const shown = path.slice(0, 200);
  const error =
    allow.length === 0
      ? new HttpError(404, "invalid_input", `There is nothing at ${shown}.`)
      : new HttpError(405, "invalid_input", `${shown} accepts only ${allow.join(", ")}.`);
  return Object.assign(error, { allow });
}

function methodsAt(app: App, path: string): readonly string[] {
  const found = app.routes.filter((route) => route.method !== "ALL" && !route.path.includes("*"));
  const there = found.filter((route) => new RegExp(`^${route.path.replaceAll(/:\w+/g, "[^/]+")}$`).test(path));
  return [...new Set(there.map(({ method }) => method))];
}
