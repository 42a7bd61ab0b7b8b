import { ReinsError } from "../../events/errors.ts";
import { oneLine } from "../../events/printable.ts";
import type { HttpOptions } from "./client.ts";

/** The `cause` of the error when the server answered without success. */
export interface HttpRefusal {
  readonly status: number;
  /** Parsed if it is JSON. */
  readonly body: unknown;
  readonly retryAfter?: string | undefined;
}

type Who = Pick<HttpOptions, "name" | "agent">;

export function refused({ name, agent, classify }: HttpOptions, what: string, refusal: HttpRefusal): ReinsError {
  const { status, body, retryAfter } = refusal;
  const said = wordsOf(body);
  const { error } = classify({ status, text: said, retryAfter });
  const end = said === "" ? "." : `: ${said}`;
  const message = `${name} answered ${what} with status ${status}${end}`;
  return new ReinsError(error?.code ?? "protocol_error", message, { agent, cause: { status, body, retryAfter } });
}

const longest = 300;

/** Finds the reason in an answer, in one of the usual fields. */
function wordsOf(body: unknown): string {
  if (typeof body === "string") return oneLine(body).slice(0, longest);
  if (typeof body !== "object" || body === null) return "";
  const { message, error, data } = body as Partial<Record<"message" | "error" | "data", unknown>>;
  return typeof message === "string" ? wordsOf(message) : wordsOf(data) || wordsOf(error);
}

export function httpRefusalOf(error: unknown): HttpRefusal | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  return typeof cause === "object" && cause !== null && "status" in cause ? (cause as HttpRefusal) : undefined;
}

export function unreachable({ name, agent }: Who, what: string, cause: unknown): ReinsError {
  return new ReinsError("network", `${name} could not be reached for ${what}: ${reasonOf(cause)}.`, { agent, cause });
}

export function tooLate({ name, agent }: Who, what: string, ms: number): ReinsError {
  return new ReinsError("agent_hung", `${name} did not answer ${what} within ${ms} ms.`, { agent });
}

export function tooLong({ name, agent }: Who, what: string, maxBytes: number): ReinsError {
  return new ReinsError("protocol_error", `${name} answered ${what} with more than ${maxBytes} bytes.`, { agent });
}

/** The cause of `fetch failed` says more than the error itself. */
function reasonOf(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = Object(inner) as { code?: unknown };
  if (typeof code.code === "string") return code.code;
  return inner instanceof Error ? inner.message : String(inner);
}
