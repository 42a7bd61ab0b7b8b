/** Error codes for Cursor's failures. Cursor has no codes of its own, only a text on stderr and an exit code. */
import type { ErrorCode, ErrorInfo } from "../../events/errors.ts";
import type { Exit } from "../../process/types.ts";
import type { Classifier } from "../../protocols/failure.ts";
import { acpFailures } from "../shared/acp/failures.ts";
import type { FailureData } from "../shared/failures/classify.ts";
import { linesOf, program, signInHelp } from "./program.ts";

const trustHelp =
  "Run `agent` in that folder once and trust it, or set REINS_CURSOR_TRUST=1 to have Reins say that you do.";

const unseen = "Not tested: nobody has observed what the program prints for this, and its service cannot be scripted.";
const noCode = (status: string): string =>
  `Not tested: the protocol of its service (Connect) has no code for ${status}.`;

/** Requires a prefix, because a bare number may count anything. */
const status = String.raw`(?:\bHTTP(?:/[\d.]+)?|\bstatus(?: code)?|\berror code)[\s:=]*`;

/** The first match counts, so specific patterns come first. */
const complaints: readonly (readonly [pattern: RegExp, code: ErrorCode])[] = [
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
  // Error codes of Cursor's service stand in brackets before the text and are more reliable than the text.
  [/\[(?:unauthenticated|permission_denied)\]/i, "not_authenticated"],
  [/\[not_found\]/i, "model_unknown"],
  [/\[(?:invalid_argument|failed_precondition|out_of_range|unimplemented)\]/i, "invalid_input"],
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
  // Before the codes, because its library prints `[unavailable] connect ECONNREFUSED ...`.
  [/ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|getaddrinfo|certificate|self.signed/i, "network"],
  // Vague codes, after the more specific words above.
  [/\[resource_exhausted\]/i, "rate_limited"],
  [/\[(?:unavailable|internal|unknown|data_loss|deadline_exceeded)\]/i, "overloaded"],
  [/\[(?:aborted|canceled|cancelled)\]/i, "network"],
  [/overloaded|high demand|internal server error|bad gateway|service unavailable|gateway time-?out/i, "overloaded"],
  [new RegExp(`${status}5\\d\\d\\b`, "i"), "overloaded"],
  [/Connection lost|socket hang up|fetch failed|network error/i, "network"],
];

export const data: FailureData = {
  agent: program.id,
  name: program.name,
  phrases: complaints,
  stderr: complaints,
  stderrNoise: /^(?:Aborting operation|Retry attempt|Connection lost, reconnecting)/,
  help: {
    not_authenticated: signInHelp,
    model_unknown: "Choose another model; `reins models cursor` lists them.",
    quota_exhausted: "Wait until the plan's limit resets, or choose another agent.",
    version_unsupported: program.updateHelp,
  },
  differs: {
    payment: noCode("402"),
    "payment-body": noCode("402"),
    "too-large": noCode("413"),
    overloaded: noCode("529"),
    context: unseen,
    rate: unseen,
    quota: unseen,
    "quota-plain": unseen,
    garbage: unseen,
    empty: unseen,
    timeout: unseen,
    "content-filter": unseen,
    "max-tokens": unseen,
  },
};

const plain = acpFailures(data);

export const failures: Classifier = {
  ...plain,
  ending: (facts, now) => plain.ending({ ...facts, text: explaining(facts.text) }, now),
  error: (facts, now) => plain.error({ ...facts, text: explaining(facts.text) }, now),
  exit: (exit, stderr, onlyGarbage, now) => trusting(plain.exit(exit, explaining(stderr), onlyGarbage, now)),
};

/** Error for a process that ended without a result. `lastWords`: its last line that was not a message, used when stderr is empty. */
export function exitError(exit: Exit, stderrTail: string, onlyGarbage: boolean, lastWords = ""): ErrorInfo {
  return failures.exit(exit, explaining(stderrTail) || lastWords, onlyGarbage);
}

export function toldError(message: string): ErrorInfo {
  return message.trim() === ""
    ? failures.info("agent_error", "Cursor failed without a message.")
    : failures.error({ text: message });
}

/** Cursor gives no reason for a retry. */
export function retryError(): ErrorInfo {
  return failures.info("overloaded", "Cursor lost the connection to its model's service and is retrying.");
}

/** Removes colours, events (one version also printed them all on stderr), and the list of two hundred models. */
function explaining(output: string): string {
  return linesOf(output)
    .filter((line) => !line.startsWith("{"))
    .map((line) => line.replace(/\s*Available models:.*$/, "").replace(/^[⚠\s]*(?:Warning:\s*)?/u, ""))
    .join("\n");
}

function trusting(info: ErrorInfo): ErrorInfo {
  if (info.code !== "invalid_input" || !/Workspace Trust Required/i.test(info.message)) return info;
  return { ...info, message: "Cursor does not trust this folder yet, and did not start.", help: trustHelp };
}
