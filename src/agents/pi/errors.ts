/** pi's failures as error codes, with what the person should do next. It passes on what the model's service said, in many shapes. */
import { errorTable } from "../../events/errors.ts";
import type { ErrorCode, ErrorInfo } from "../../events/errors.ts";
import { errorInfoFor, usualHelp } from "../shared/error-info.ts";
import type { Ending } from "../shared/error-info.ts";
import { program } from "./program.ts";
import { isRecord, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";

export const errorInfoOf = errorInfoFor(program.id, {
  ...usualHelp,
  not_installed: program.installHelp,
  not_authenticated: "Start `pi` and type /login, or set the key of a model's service, such as ANTHROPIC_API_KEY.",
  model_unknown: "Choose another model; `reins models pi` lists them.",
  quota_exhausted: "Wait for the reset, add credit, or use another agent.",
});

/** How a turn ended, from its last answer. The program's exit code never tells. */
export function endingOf(answer: Wire | undefined, now: number): Ending {
  switch (answer?.["stopReason"]) {
    case "error": {
      const error = errorOf(text(answer["errorMessage"]) ?? "", now);
      return { outcome: error.code === "refused" ? "refused" : "failed", error };
    }
    case "aborted":
      return { outcome: "cancelled" };
    case "length":
      return { outcome: "max_tokens" };
    default:
      return { outcome: "done" };
  }
}

export function errorOf(said: string, now: number): ErrorInfo {
  const status = Number(
    /^\s*(?:Error:\s*)?(\d{3})\b/.exec(said)?.[1] ?? /"(?:code|status)"\s*:\s*(\d{3})\b/.exec(said)?.[1],
  );
  const code = codeOf(said, Number.isNaN(status) ? undefined : status);
  const message = messageOf(said) || errorTable[code].meaning;
  const limited = code === "rate_limited" || code === "quota_exhausted";
  return errorInfoOf(code, message, { resetsAt: limited ? resetsIn(said, now) : undefined });
}

/** The first that fits. */
const phrases: readonly (readonly [RegExp, ErrorCode])[] = [
  [/content_filter|finish_reason: (sensitive|safety)|\brefus(al|ed to)\b|blocked by .*safety/i, "refused"],
  [
    /context[_ ](length|window|overflow)|maximum context|prompt is too long|too many tokens|input is too long|request_too_large/i,
    "context_too_long",
  ],
  [
    /insufficient_quota|exceeded your current quota|usage_limit|credit balance|billing|out of credits|PerDay/i,
    "quota_exhausted",
  ],
  [
    /no api key|invalid_api_key|incorrect api key|authentication|unauthorized|re-authenticate|\/login/i,
    "not_authenticated",
  ],
  [/model_not_found|model not found|unknown model|no such model/i, "model_unknown"],
];

/** Said by whoever could not reach the service at all, or was cut off. */
const network =
  /\bE(CONN\w+|NOTFOUND|AI_AGAIN|TIMEDOUT|PIPE)\b|connection|network|timed? ?out|terminated|fetch failed|socket|stream ended|premature|aborted/i;

function codeOf(said: string, status: number | undefined): ErrorCode {
  const known = phrases.find(([pattern]) => pattern.test(said));
  if (known !== undefined && (status === undefined || status < 500)) return known[1];
  switch (status) {
    case 401:
    case 403:
      return "not_authenticated";
    case 402:
      return "quota_exhausted";
    case 404:
      return "model_unknown";
    case 408:
      return "network";
    case 413:
      return "context_too_long";
    case 429:
      return "rate_limited";
    default:
  }
  if (status !== undefined && status >= 500) return "overloaded";
  if (status !== undefined && status >= 400) return "invalid_input";
  if (/overloaded|rate.?limit|too many requests/i.test(said))
    return /rate|many/i.test(said) ? "rate_limited" : "overloaded";
  if (/server.?error|internal error|service.?unavailable/i.test(said)) return "overloaded";
  return network.test(said) ? "network" : "agent_crashed";
}

/** The sentence inside of what the service sent. */
function messageOf(said: string): string {
  const start = said.indexOf("{");
  const body = start < 0 ? undefined : parsed(said.slice(start));
  const inner = record(body)["error"];
  const message = text(record(isRecord(inner) ? inner : body)["message"]) ?? text(inner);
  return (message ?? said.split(/\n\s*\n/, 1)[0]!).trim();
}

/** "Please try again in 20s", "in 1m30s", "resets_in_seconds": 600. */
function resetsIn(said: string, now: number): string | undefined {
  const seconds = /"(?:resets_in_seconds|retry_?after)"\s*:\s*"?(\d+(?:\.\d+)?)/i.exec(said)?.[1];
  const [, hours, minutes, rest] =
    /(?:try again|retry|resets?)\s+in\s+(?:(\d+)h)?\s*(?:(\d+)m(?!s))?\s*(?:(\d+(?:\.\d+)?)s)?/i.exec(said) ?? [];
  const wait = Number(seconds ?? 0) || Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(rest ?? 0);
  return wait > 0 && wait < 366 * 86_400 ? new Date(now + wait * 1000).toISOString() : undefined;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
