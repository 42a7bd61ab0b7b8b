/** Qwen Code's failures as error codes, with what the person should do next. */
import { record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import { errorTable } from "../../events/errors.ts";
import type { ErrorCode, ErrorInfo } from "../../events/errors.ts";
import { errorInfoFor, usualHelp } from "../shared/error-info.ts";
import type { Ending } from "../shared/error-info.ts";
import { waitSaid } from "./errors-resets.ts";
import { program } from "./program.ts";

export const signInHelp =
  "Run `qwen` and type /auth, or set OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL for a service of your own.";

export const errorInfoOf = errorInfoFor(program.id, {
  ...usualHelp,
  not_installed: program.installHelp,
  not_authenticated: signInHelp,
  quota_exhausted: "Check the plan and the credit of the account, or use another agent.",
  context_too_long: "Start a new session, or send /compress first.",
  session_not_found: "Start a new session, or resume it in the folder it was started in.",
});

/** What is known of a failure, from a `result` or from what the program wrote down of a request. */
export interface Failure {
  /** The HTTP status. */
  readonly status?: number | undefined;
  readonly said: string;
}

/** How a turn ended. `given`: the failure we gave the turn up for, when it was us who interrupted it. */
export function endingOf(result: Wire, given: Failure | undefined): Ending {
  if (result["is_error"] !== true) return { outcome: "done" };
  const said = errorSaid(result);
  if (isInterruption(said))
    return given === undefined ? { outcome: "cancelled" } : { outcome: "failed", error: errorOf(given) };
  return { outcome: "failed", error: errorOf({ said }) };
}

export function errorSaid(result: Wire): string {
  return text(record(result["error"])["message"]) ?? "";
}

export function isInterruption(said: string): boolean {
  return said === "Operation cancelled.";
}

export function errorOf(failure: Failure, now: number = Date.now()): ErrorInfo {
  const said = plain(failure.said);
  const status = failure.status ?? statusIn(said);
  const code = codeOf(said, status);
  const info = errorInfoOf(code, said.replace(/^\d{3} (?=\S)/, "") || errorTable[code].meaning);
  const wait = code === "rate_limited" || code === "quota_exhausted" ? waitSaid(said) : undefined;
  return wait === undefined ? info : { ...info, resetsAt: new Date(now + wait).toISOString() };
}

function codeOf(said: string, status: number | undefined): ErrorCode {
  if (
    /exceeded your current quota|insufficient_quota|quota exceeded|allocated quota|arrears|out of credit|insufficient balance/i.test(
      said,
    )
  )
    return "quota_exhausted";
  if (/No saved session found/.test(said)) return "session_not_found";
  if (
    /context (?:window|length)|maximum context|input (?:length|token)|too (?:long|large)/i.test(said) ||
    status === 413
  )
    return "context_too_long";
  if (
    /auth type|free tier was discontinued|free tier has been discontinued|API key/i.test(said) ||
    status === 401 ||
    status === 403
  )
    return "not_authenticated";
  if (status === 404 || /model .*(?:does not exist|not found|not supported)/i.test(said)) return "model_unknown";
  if (status === 429) return "rate_limited";
  if ((status !== undefined && status >= 500) || /overloaded|server error|empty response|stream ended/i.test(said))
    return "overloaded";
  if (
    /\bE(CONN\w+|NOTFOUND|AI_AGAIN|TIMEDOUT|PIPE)\b|UND_ERR|connection|network|timed? ?out|terminated|fetch failed/i.test(
      said,
    )
  )
    return "network";
  if (status !== undefined && status >= 400) return "invalid_input";
  return "agent_crashed";
}

/** Without the frame, and without the advice it adds to a limit. */
function plain(said: string): string {
  return (/^\[API Error: ([\s\S]*?)\](?:\n|$)/.exec(said)?.[1] ?? said).trim();
}

function statusIn(said: string): number | undefined {
  const found = /^(\d{3})\b|\(Status: (\d{3})\)/.exec(said);
  return found === null ? undefined : Number(found[1] ?? found[2]);
}
