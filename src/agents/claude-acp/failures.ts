/** Failures of claude-agent-acp: the error data beside "Internal error" hold Claude Code's own class of failure. */
import { record, text } from "../../protocols/json.ts";
import type { FailureFacts } from "../../protocols/failure.ts";
import type { RpcError } from "../../protocols/json-rpc/index.ts";
import { acpFailures } from "../shared/acp/failures.ts";
import type { FailureData } from "../shared/failures/classify.ts";
import { program, signInHelp } from "./program.ts";

export const data: FailureData = {
  agent: program.id,
  name: program.name,
  kinds: {
    authentication_failed: "not_authenticated",
    billing_error: "quota_exhausted",
    model_not_found: "model_unknown",
    overloaded: "overloaded",
    max_output_tokens: "max_tokens",
    transport_lost: "agent_crashed",
    worker_shutdown: "agent_crashed",
  },
  vagueKinds: { rate_limit: "rate_limited", server_error: "overloaded", invalid_request: "invalid_input" },
  phrases: [
    [/maximum budget/i, "budget_exceeded"],
    [/maximum number of turns/i, "max_turns"],
    [/empty or malformed response/, "network"],
  ],
  help: { not_authenticated: signInHelp },
  differs: {
    rate: "The agent does not report its retries or the reset time.",
  },
};

export const failures = acpFailures(data);

export function failureOf({ data: about }: RpcError): Partial<FailureFacts> {
  const kind = text(record(about)["errorKind"]);
  return kind === undefined ? {} : { kind, body: undefined };
}

/** Claude Code reports a failed request as a message before the error itself. */
const words =
  /^(?:API Error\b|Invalid API key\b|Please run \/login|Not logged in\b|OAuth token\b|Credit balance is too low|Prompt is too long|There's an issue with the selected model|You've (?:hit|reached) your\b)/;

export function isErrorText(said: string): boolean {
  return words.test(said);
}
