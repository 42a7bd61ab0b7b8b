/** Cursor's failures as our codes. It has no codes of its own: a failure is a text on stderr and an exit code. */
import type { ErrorCode, ErrorInfo } from "../../events/errors.ts";
import type { Exit } from "../../process/types.ts";
import { errorInfoFor, usualHelp } from "../shared/error-info.ts";
import { exitErrorOf } from "../shared/exit-error.ts";
import type { ExitWords } from "../shared/exit-error.ts";
import { linesOf } from "./output.ts";
import { program, signInHelp } from "./program.ts";

export const errorInfoOf = errorInfoFor(program.id, {
  ...usualHelp,
  not_authenticated: signInHelp,
  model_unknown: "Choose another model; `reins models cursor` lists them.",
  quota_exhausted: "Wait until the plan's allowance begins again, or choose another agent.",
  version_unsupported: program.updateHelp,
  context_too_long: "Start a new session.",
});

const trustHelp =
  "Run `agent` in that folder once and trust it, or set REINS_CURSOR_TRUST=1 to have Reins say that you do.";

type Complaint = readonly [pattern: RegExp, code: ErrorCode];

/** What its service says in brackets, before the words: these say for sure what it is, whatever the words are about. */
const firm: readonly Complaint[] = [
  [/\[unauthenticated\]/i, "not_authenticated"],
  [/\[permission_denied\]/i, "permission_denied"],
  [/\[not_found\]/i, "model_unknown"],
  [/\[(?:invalid_argument|failed_precondition|out_of_range|unimplemented)\]/i, "invalid_input"],
];

/** Of these the words may tell more. */
const vague: readonly Complaint[] = [
  [/\[resource_exhausted\]/i, "rate_limited"],
  [/\[(?:unavailable|internal|unknown|data_loss|deadline_exceeded)\]/i, "overloaded"],
  [/\[(?:aborted|canceled|cancelled)\]/i, "network"],
];

/** A number alone may count anything. */
const status = String.raw`(?:\bHTTP(?:/[\d.]+)?|\bstatus(?: code)?|\berror code)[\s:=]*`;

/** The first that is found counts: what is more particular stands above. */
const complaints: readonly Complaint[] = [
  [
    /Authentication required|Not logged in|API key is invalid|invalid API key|Please (?:sign|log) in/i,
    "not_authenticated",
  ],
  [/Workspace Trust Required/i, "invalid_input"],
  [
    /Cannot use this model|Named models? unavailable|model is not available|unknown model|not found: model/i,
    "model_unknown",
  ],
  [/Failed to claim persistent session|chat ID must be a UUID|(?:chat|session) .*not found/i, "session_not_found"],
  [/context (?:length|window)|too many tokens|prompt is too long|conversation is too long/i, "context_too_long"],
  [
    /(?:hit|reached|exceeded) your (?:\w+ ){0,3}(?:usage|spend|spending|requests?) limit|out of usage/i,
    "quota_exhausted",
  ],
  ...firm,
  [
    /usage limit|spend limit|quota (?:\w+ ){0,2}(?:exceeded|exhausted|reached|used up)|(?:exceeded|exhausted|reached|over|out of|insufficient|no) (?:\w+ ){0,3}quota|insufficient_quota|insufficient (?:credit|funds)|payment required/i,
    "quota_exhausted",
  ],
  [/rate.?limit|too many requests/i, "rate_limited"],
  [new RegExp(`${status}429\\b`, "i"), "rate_limited"],
  [
    /disabled .*(?:admin|team|organi[sz]ation)|(?:admin|team|organi[sz]ation).* (?:has )?disabled/i,
    "permission_denied",
  ],
  [/unknown option|unknown command/i, "version_unsupported"],
  ...vague,
  [/overloaded|high demand|internal server error|bad gateway|service unavailable|gateway time-?out/i, "overloaded"],
  [new RegExp(`${status}5\\d\\d\\b`, "i"), "overloaded"],
  [
    /Connection lost|ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|socket hang up|fetch failed|network error|getaddrinfo/i,
    "network",
  ],
];

const words: ExitWords = {
  name: program.name,
  complaints,
  noise: /^(?:Aborting operation|Retry attempt|Connection lost, reconnecting)/,
  info: errorInfoOf,
};

/** How a process ended that said no result. `lastWords` is what it printed that was no message, where stderr has nothing. */
export function exitError(exit: Exit, stderrTail: string, onlyGarbage: boolean, lastWords = ""): ErrorInfo {
  const said = explaining(stderrTail) || lastWords;
  return helped(exitErrorOf(exit, said, onlyGarbage, words), said);
}

/** A failure that it told in a message. */
export function toldError(message: string): ErrorInfo {
  const said = explaining(message);
  const code = complaints.find(([pattern]) => pattern.test(said))?.[1] ?? "internal";
  return helped(errorInfoOf(code, said.split("\n")[0]?.slice(0, 300) || "Cursor failed and did not say why."), said);
}

/** The attempts that it tells about name no reason. */
export function retryError(): ErrorInfo {
  return errorInfoOf("overloaded", "Cursor lost its model's service and tries again.");
}

/** Without colours, without events (one version said them all on stderr too), and without a list of two hundred models. */
function explaining(output: string): string {
  return linesOf(output)
    .filter((line) => !line.startsWith("{"))
    .map((line) => line.replace(/\s*Available models:.*$/, "").replace(/^[⚠\s]*(?:Warning:\s*)?/u, ""))
    .join("\n");
}

function helped(info: ErrorInfo, said: string): ErrorInfo {
  if (info.code === "invalid_input" && /Workspace Trust Required/i.test(info.message))
    return { ...info, message: "Cursor does not trust this folder yet, and did not start.", help: trustHelp };
  const resetsAt = info.code === "quota_exhausted" ? dayIn(said) : undefined;
  return resetsAt === undefined ? info : { ...info, resetsAt };
}

/** `... when your monthly cycle ends on 10/2/2026`: the month first. */
function dayIn(said: string): string | undefined {
  const [, month, day, year] = /\bon (\d{1,2})\/(\d{1,2})\/(\d{4})\b/.exec(said) ?? [];
  const time = Date.UTC(Number(year), Number(month) - 1, Number(day));
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
