/** What it says went wrong: beside "Internal error" stands Claude Code's own class of failure. */
import type { AcpFailure } from "../../drivers/acp/index.ts";
import { saidBy } from "../../drivers/acp/failures.ts";
import { record } from "../../drivers/acp/read.ts";
import type { RpcError } from "../../drivers/json-rpc/index.ts";
import type { ErrorCode } from "../../events/errors.ts";

const kinds: ReadonlyMap<unknown, ErrorCode> = new Map<unknown, ErrorCode>([
  ["authentication_failed", "not_authenticated"],
  ["billing_error", "quota_exhausted"],
  ["rate_limit", "rate_limited"],
  ["model_not_found", "model_unknown"],
  ["server_error", "overloaded"],
  ["overloaded", "overloaded"],
  ["invalid_request", "invalid_input"],
  ["transport_lost", "agent_crashed"],
  ["worker_shutdown", "agent_crashed"],
]);

export function failureOf(error: RpcError): AcpFailure | undefined {
  const message = saidBy(error);
  if (/prompt is too long/i.test(message)) return { code: "context_too_long", message };
  if (/maximum budget/i.test(message)) return { code: "budget_exceeded", message, outcome: "budget" };
  if (/maximum number of turns/i.test(message)) return { code: "agent_crashed", message, outcome: "max_turns" };
  const code = kinds.get(record(error.data)["errorKind"]);
  return code === undefined ? undefined : { code, message };
}

/** What Claude Code says like a message when a request failed; the error itself follows. */
const words =
  /^(?:API Error\b|Invalid API key\b|Please run \/login|Not logged in\b|OAuth token\b|Credit balance is too low|Prompt is too long|There's an issue with the selected model|You've (?:hit|reached) your\b)/;

export function isErrorText(text: string): boolean {
  return words.test(text);
}
