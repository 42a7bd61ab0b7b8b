/** What the service refuses, and what went wrong in a run, as one of our codes. */
import { record, text } from "../../drivers/stream-json/read.ts";
import { httpRefusalOf } from "../../drivers/http/errors.ts";
import type { HttpRefusal } from "../../drivers/http/errors.ts";
import { ReinsError, toReinsError } from "../../events/errors.ts";
import type { ErrorCode, ErrorInfo } from "../../events/errors.ts";
import { keyHelp } from "./settings.ts";
import { who } from "./who.ts";

/** The service's own word for a refusal: `agent_busy`, `stream_expired`. */
export function apiCodeOf(error: unknown): string | undefined {
  const body = record(httpRefusalOf(error)?.body);
  return text(body["code"]) ?? text(record(body["error"])["code"]);
}

export const statusOf = (error: unknown): number | undefined => httpRefusalOf(error)?.status;

/** The same error with our code and the service's own words, and what to do. */
export function explained(error: unknown, what: string, resetsAt?: string): ReinsError {
  const refusal = httpRefusalOf(error);
  if (refusal === undefined) return toReinsError(error);
  const words = wordsOf(refusal);
  const code = codeOf(refusal, words, apiCodeOf(error));
  const said = words === undefined ? "" : `: ${words}`;
  return new ReinsError(code, `${who.name} refused ${what} with status ${refusal.status}${said}.`, {
    agent: who.id,
    help: helpOf[code],
    resetsAt,
    cause: refusal,
  });
}

/** The same error; where there is no such agent, in words that say which. */
export function aboutAgent(id: string, thrown: unknown): unknown {
  if (statusOf(thrown) !== 404) return thrown;
  return new ReinsError("session_not_found", `${who.name} has no agent ${id}.`, {
    agent: who.id,
    help: "`reins cloud list` shows those that there are.",
    cause: thrown,
  });
}

/** The service's own sentence, where there is one. */
function wordsOf({ body }: HttpRefusal): string | undefined {
  const { message, error } = record(body) as { message?: unknown; error?: unknown };
  const words = text(message) ?? text(record(error)["message"]) ?? text(error);
  return words?.slice(0, 300).replace(/[.\s]+$/, "");
}

const byApiCode: Readonly<Record<string, ErrorCode>> = {
  agent_busy: "session_busy",
  agent_not_found: "session_not_found",
  run_not_found: "session_not_found",
  stream_expired: "session_not_found",
};

function codeOf({ status }: HttpRefusal, words = "", apiCode = ""): ErrorCode {
  const known = byApiCode[apiCode] ?? byWords(words);
  if (known !== undefined) return known;
  if (status === 401 || status === 403) return "not_authenticated";
  if (status === 402) return "quota_exhausted";
  if (status === 404 || status === 410) return "session_not_found";
  if (status === 408) return "timeout";
  if (status === 429) return "rate_limited";
  return status >= 500 ? "overloaded" : "invalid_input";
}

const helpOf: Partial<Record<ErrorCode, string>> = {
  not_authenticated: keyHelp,
  session_busy: "Wait for the run to end, or stop it.",
  quota_exhausted: "Look at the spending limits at cursor.com/dashboard.",
};

/** Only words that leave no doubt. */
function byWords(words: string): ErrorCode | undefined {
  if (/\b(?:usage|spend(?:ing)?|credit) limit|out of credit|quota\b/i.test(words)) return "quota_exhausted";
  if (/\b(?:unknown|invalid|unsupported|unavailable) model\b|\bmodel\b.*\bnot (?:found|available)/i.test(words))
    return "model_unknown";
  return undefined;
}

const byRunCode: readonly (readonly [RegExp, ErrorCode])[] = [
  [/unauth|api_?key|forbidden/i, "not_authenticated"],
  [/usage_?limit|spend|quota|payment|credit/i, "quota_exhausted"],
  [/rate_?limit|too_?many|resource_?exhausted/i, "rate_limited"],
  [/context|too_?long/i, "context_too_long"],
  [/refus|policy/i, "refused"],
  [/model_?(?:not|un)|unknown_?model|invalid_?model/i, "model_unknown"],
  [/overload|unavailable|internal|server|upstream/i, "overloaded"],
  [/network|connection|disconnect|cut/i, "network"],
  [/timeout|deadline|expired/i, "timeout"],
];

/** Why a run ended in an error: the service's word and sentence, neither of which need be there. */
export function runError(code: string | undefined, message: string | undefined): ErrorInfo {
  const found =
    byRunCode.find(([pattern]) => pattern.test(code ?? ""))?.[1] ?? byWords(message ?? "") ?? "agent_crashed";
  const words = message?.trim() || (code === undefined ? "it did not say why" : code);
  const error = new ReinsError(found, `The run failed: ${words.replace(/\.$/, "")}.`, {
    agent: who.id,
    help: helpOf[found],
  });
  return error.toJSON();
}
