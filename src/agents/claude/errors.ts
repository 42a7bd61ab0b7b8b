/** Claude Code's failures as error codes, with what the person should do next. */
import { errorTable } from "../../events/errors.ts";
import type { ErrorCode, ErrorInfo } from "../../events/errors.ts";
import { errorInfoFor, usualHelp } from "../shared/error-info.ts";
import type { Ending } from "../shared/error-info.ts";
import { resetsInText } from "./errors-resets.ts";
import { program } from "./program.ts";
import { limitResets } from "./usage-limits.ts";
import { list, number, record, text, texts } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";

const signIn = "Run `claude auth login`, or set ANTHROPIC_API_KEY.";

export const errorInfoOf = errorInfoFor(program.id, {
  ...usualHelp,
  not_installed: program.installHelp,
  not_authenticated: signIn,
});

/** What is known of a failure, from a `result`, from the `assistant` line before it, or from a retry. */
export interface Failure {
  /** Claude Code's own class: authentication_failed, rate_limit, ... */
  readonly kind?: string | undefined;
  /** A finer one: usage_limit_reached, connection_failed, max_output_tokens. */
  readonly detail?: string | undefined;
  /** The HTTP status. */
  readonly status?: number | undefined;
  readonly said: string;
  readonly resetsAt?: string | undefined;
}

/** The failure an `assistant` line reports in the model's place, where it does. */
export function failureSaid(message: Wire, answer: Wire, now: number): Failure | undefined {
  if (message["is_api_error_message"] !== true && text(message["error"]) === undefined) return undefined;
  const said = list(answer["content"])
    .map((block) => text(record(block)["text"]) ?? "")
    .join("\n");
  return {
    kind: text(message["error"]),
    detail: text(message["api_error"]),
    status: number(message["api_error_status"]),
    said,
    resetsAt: limitResets(record(message["api_error_params"])["rate_limit_info"]) ?? resetsInText(said, now),
  };
}

/** How a turn ended. `subtype` alone does not tell: a failed request is a `success` with `is_error`. */
export function endingOf(result: Wire, failure: Failure | undefined, resetsAt: string | undefined): Ending {
  const reason = text(result["terminal_reason"]) ?? "";
  const errors = texts(result["errors"]).filter((line) => !line.startsWith("[ede_diagnostic]"));
  const said = plain(text(result["result"]) ?? errors[0] ?? failure?.said ?? "");
  if (reason.startsWith("aborted")) return { outcome: "cancelled" };
  if (result["subtype"] === "error_max_turns") return { outcome: "max_turns" };
  if (result["subtype"] === "error_max_budget_usd") {
    return {
      outcome: "budget",
      error: errorInfoOf("budget_exceeded", said || "The budget was used up.", { help: "Allow a larger budget." }),
    };
  }
  if (result["stop_reason"] === "refusal")
    return { outcome: "refused", error: errorInfoOf("refused", firstParagraph(said) || "The model declined.") };
  const facts: Failure = {
    kind: failure?.kind,
    detail: text(result["api_error"]) ?? failure?.detail,
    status: number(result["api_error_status"]) ?? failure?.status,
    said,
    resetsAt: failure?.resetsAt ?? resetsAt,
  };
  if (facts.detail === "max_output_tokens" || facts.kind === "max_output_tokens") return { outcome: "max_tokens" };
  if (result["is_error"] !== true && (result["subtype"] === "success" || result["subtype"] === undefined)) {
    return { outcome: result["stop_reason"] === "max_tokens" ? "max_tokens" : "done" };
  }
  if (reason === "prompt_too_long") return { outcome: "failed", error: errorInfoOf("context_too_long", said) };
  return { outcome: "failed", error: errorOf(facts) };
}

export function errorOf(failure: Failure): ErrorInfo {
  const code = codeOf(failure);
  const message = firstParagraph(plain(failure.said)) || errorTable[code].meaning;
  if (code === "quota_exhausted") {
    const advice =
      failure.kind === "billing_error" ? "Add credit to the account." : "Wait for the reset, or use another agent.";
    return errorInfoOf(code, message, { help: advice, resetsAt: failure.resetsAt });
  }
  return errorInfoOf(code, message, { resetsAt: code === "rate_limited" ? failure.resetsAt : undefined });
}

function codeOf({ kind, detail, status, said, resetsAt }: Failure): ErrorCode {
  if (detail === "connection_failed") return "network";
  if (detail === "usage_limit_reached" || kind === "billing_error" || /credit balance is too low/i.test(said))
    return "quota_exhausted";
  if (said.startsWith("No conversation found with session ID")) return "session_not_found";
  if (/prompt is too long/i.test(said) || status === 413) return "context_too_long";
  if (kind === "authentication_failed" || kind === "oauth_org_not_allowed" || status === 401 || status === 403)
    return "not_authenticated";
  if (kind === "model_not_found" || status === 404) return "model_unknown";
  // With a known reset of the plan's window it is no short wait.
  if (kind === "rate_limit" || status === 429) return resetsAt === undefined ? "rate_limited" : "quota_exhausted";
  if (status !== undefined && status >= 500) return "overloaded";
  if (kind === "overloaded") return "overloaded";
  if (/\bE(CONN\w+|NOTFOUND|AI_AGAIN|TIMEDOUT|PIPE)\b|connection|network|timed out|fetch failed/i.test(said))
    return "network";
  if (kind === "server_error") return "overloaded";
  if (kind === "invalid_request" || status === 400) return "invalid_input";
  // A retry that names nothing is a request that got no answer at all.
  if (kind === "unknown" && status === undefined && said === "") return "network";
  return "agent_crashed";
}

function plain(said: string): string {
  return said.replace(/^API Error: /, "").trim();
}

function firstParagraph(said: string): string {
  return said.split(/\n\s*\n/, 1)[0]!.trim();
}
