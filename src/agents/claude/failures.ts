import type { Ending, FailureFacts } from "../../protocols/failure.ts";
import { list, number, record, text, texts, type JsonObject } from "../../protocols/json.ts";
import { classifier, type FailureData } from "../shared/failures/classify.ts";
import { program, signInHelp } from "./program.ts";
import { limitResets } from "./usage.ts";

export const data: FailureData = {
  agent: program.id,
  name: program.name,
  kinds: {
    billing_error: "quota_exhausted",
    max_output_tokens: "max_tokens",
    authentication_failed: "not_authenticated",
    oauth_org_not_allowed: "not_authenticated",
    model_not_found: "model_unknown",
    prompt_too_long: "context_too_long",
    // A retry without a named error means that the request got no answer.
    unanswered: "network",
  },
  vagueKinds: {
    rate_limit: "rate_limited",
    overloaded: "overloaded",
    server_error: "overloaded",
    invalid_request: "invalid_input",
  },
  phrases: [
    [/^No conversation found with session ID/, "session_not_found"],
    [/empty or malformed response/, "network"],
  ],
  stderr: [
    [/No conversation found with session ID/, "session_not_found"],
    [/Session ID \S+ is already in use/, "session_busy"],
    [/Not logged in|Invalid API key|Please run \/login|OAuth token has expired/i, "not_authenticated"],
    [
      /unknown option|is invalid\. Allowed choices|requires --|cannot be used with|must be provided|option .* argument/i,
      "invalid_input",
    ],
    [/^Error: (Invalid|Settings file|MCP config|Session ID|--)/m, "invalid_input"],
    [/Expected message role|Error parsing streaming input/, "protocol_error"],
  ],
  frames: [/^API Error: /],
  help: {
    not_installed: program.installHelp,
    not_authenticated: signInHelp,
  },
};

export const failures = classifier(data);

/** The failure that an `assistant` line reports in place of an answer. */
export function failureSaid(message: JsonObject, answer: JsonObject): FailureFacts | undefined {
  if (message["is_api_error_message"] !== true && text(message["error"]) === undefined) return undefined;
  return {
    kind: text(message["error"]),
    type: text(message["api_error"]),
    status: number(message["api_error_status"]),
    text: list(answer["content"])
      .map((block) => text(record(block)["text"]) ?? "")
      .join("\n"),
    resetsAt: limitResets(record(message["api_error_params"])["rate_limit_info"]),
  };
}

/** The program's own retry delays are never whole seconds, so a whole number comes from the service. */
export function retryFacts(message: JsonObject): FailureFacts {
  const [kind, status] = [text(message["error"]), number(message["error_status"])];
  const delay = number(message["retry_delay_ms"]);
  return {
    kind: kind === "unknown" && status === undefined ? "unanswered" : kind,
    status,
    text: "",
    retryAfter: delay === undefined || delay % 1_000 !== 0 ? undefined : String(delay / 1_000),
  };
}

/** Reported before the end: when the plan's limit resets, and the wait of the last retry. */
export type KnownReset = Pick<FailureFacts, "resetsAt" | "retryAfter">;

/** Needs more than `subtype`: a failed request is a `success` with `is_error`. */
export function endingOf(result: JsonObject, failure?: FailureFacts, known: KnownReset = {}, now?: number): Ending {
  const reason = text(result["terminal_reason"]) ?? "";
  const errors = texts(result["errors"]).filter((line) => !line.startsWith("[ede_diagnostic]"));
  const said = text(result["result"]) ?? errors[0] ?? failure?.text ?? "";
  const plain = said
    .replace(/^API Error: /, "")
    .split(/\n\s*\n/, 1)[0]!
    .trim();
  if (reason.startsWith("aborted")) return { outcome: "cancelled" };
  if (result["subtype"] === "error_max_turns") return { outcome: "max_turns" };
  if (result["subtype"] === "error_max_budget_usd") {
    const help = "Allow a larger budget.";
    return { outcome: "budget", error: failures.info("budget_exceeded", plain || "The budget was used up.", { help }) };
  }
  if (result["stop_reason"] === "refusal")
    return { outcome: "refused", error: failures.info("refused", plain || "The model declined.") };
  const type = text(result["api_error"]) ?? failure?.type;
  const failed = result["is_error"] === true || (result["subtype"] ?? "success") !== "success";
  if (!failed && type !== "max_output_tokens" && failure?.kind !== "max_output_tokens")
    return { outcome: result["stop_reason"] === "max_tokens" ? "max_tokens" : "done" };
  const facts: FailureFacts = {
    kind: reason === "prompt_too_long" ? reason : failure?.kind,
    type,
    status: number(result["api_error_status"]) ?? failure?.status,
    text: said,
    resetsAt: failure?.resetsAt ?? known.resetsAt,
    retryAfter: known.retryAfter,
  };
  return failures.ending(facts, now);
}
