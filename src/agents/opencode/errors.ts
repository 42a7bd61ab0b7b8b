/** OpenCode's failures as error codes, with what the person should do next. */
import { isoTime, number, record, text } from "../../drivers/stream-json/read.ts";
import { errorTable } from "../../events/errors.ts";
import type { ErrorCode, ErrorInfo } from "../../events/errors.ts";
import { errorInfoFor, usualHelp } from "../shared/error-info.ts";
import { program } from "./program.ts";

export const errorInfoOf = errorInfoFor(program.id, {
  ...usualHelp,
  not_authenticated: "Run `opencode auth login`, or set the key of the model's service.",
  model_unknown: "Choose another model; `reins models opencode` lists them.",
  quota_exhausted: "Wait for the reset or add credit, or use another agent.",
  refused: "Rephrase the request, or choose another model.",
});

/** The error of a `session.error` or of a message; undefined where it only says that the turn was aborted. */
export function errorOf(error: unknown): ErrorInfo | undefined {
  const { name, data } = record(error);
  const facts = record(data);
  const said = firstLine(text(facts["message"]) ?? "");
  switch (name) {
    case "MessageAbortedError":
      return undefined;
    case "ProviderAuthError":
      return errorInfoOf("not_authenticated", said || errorTable.not_authenticated.meaning);
    case "ContextOverflowError":
      return errorInfoOf("context_too_long", said || errorTable.context_too_long.meaning);
    case "ContentFilterError":
      return errorInfoOf("refused", said || "The model declined.");
    default: {
      const code = codeOf(number(facts["statusCode"]), `${said} ${text(facts["responseBody"]) ?? ""}`);
      return errorInfoOf(code, said || errorTable[code].meaning);
    }
  }
}

/** Longer than this nobody should wait without being told: it fails, and says until when. */
const longestWaitMs = 60_000;

/** Why it tries again; of the service's answer only its words are told. */
export function retryErrorOf(said: unknown, waitMs: number, now: number): ErrorInfo {
  const words = firstLine(text(said) ?? "");
  const code = codeOf(undefined, words);
  const long = waitMs > longestWaitMs;
  const resetsAt = long ? isoTime((now + waitMs) / 1000) : undefined;
  const limited = long && code === "rate_limited" ? "quota_exhausted" : code;
  return errorInfoOf(limited === "agent_crashed" ? "overloaded" : limited, plain(words), { resetsAt });
}

/** Trying again cannot help, or not soon. */
export function isHopeless(error: ErrorInfo, waitMs: number): boolean {
  return error.code === "quota_exhausted" || waitMs > longestWaitMs;
}

const words: readonly (readonly [RegExp, ErrorCode])[] = [
  [
    /insufficient_quota|exceeded your current quota|billing|credit balance|out of credits|usage limit/i,
    "quota_exhausted",
  ],
  [/context[_ ]length|context window|prompt is too long|too many tokens/i, "context_too_long"],
  [/model[_ ]not[_ ]found|model not found|model .*does not exist|no such model/i, "model_unknown"],
  [/rate[ _-]?limit|too many requests/i, "rate_limited"],
  [/api key|unauthori[sz]ed|authentication|invalid_api_key/i, "not_authenticated"],
  [/overloaded|server_error|server had an error|internal server error|unavailable|bad gateway/i, "overloaded"],
  [
    /\bE(CONN\w+|NOTFOUND|AI_AGAIN|TIMEDOUT|PIPE)\b|connection|network|socket|timed out|fetch failed|unable to connect/i,
    "network",
  ],
];

function codeOf(status: number | undefined, said: string): ErrorCode {
  const worded = words.find(([pattern]) => pattern.test(said))?.[1];
  switch (true) {
    case status === 401 || status === 403:
      return "not_authenticated";
    case status === 402:
      return "quota_exhausted";
    case status === 404:
      return "model_unknown";
    case status === 413:
      return "context_too_long";
    case status === 429:
      return worded === "quota_exhausted" ? worded : "rate_limited";
    case status !== undefined && status >= 500:
      return "overloaded";
    case worded !== undefined:
      return worded;
    default:
      return status === 400 || status === 422 ? "invalid_input" : "agent_crashed";
  }
}

/** A stack trace, or the name of a class, is nothing for people. */
function firstLine(said: string): string {
  return plain(
    said
      .split("\n", 1)[0]!
      .replace(/^[A-Z]\w*Error: /, "")
      .trim(),
  );
}

/** Some services put JSON where a sentence should be. */
function plain(said: string): string {
  if (!said.startsWith("{")) return said.slice(0, 500);
  try {
    return text(record(JSON.parse(said))["message"]) ?? said.slice(0, 500);
  } catch {
    return said.slice(0, 500);
  }
}
