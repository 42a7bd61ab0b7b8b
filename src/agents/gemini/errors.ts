/** Gemini CLI's failures as error codes. It gives the status of the model's service for a code, and the service's JSON for a message. */
import type { AcpFailure } from "../../drivers/acp/index.ts";
import type { ErrorCode } from "../../events/errors.ts";
import { signInHelp } from "./sign-in.ts";

/** The surest first. */
const signs: readonly (readonly [ErrorCode, RegExp])[] = [
  ["not_authenticated", /API.key not valid|API_KEY_INVALID|Invalid auth method|Please set an Auth method/i],
  ["context_too_long", /exceeds the maximum number of tokens|context window/i],
  ["quota_exhausted", /daily quota|prepayment credits|exhausted your (?:capacity|daily)|billing account/i],
  ["rate_limited", /increase your limits|rate limit/i],
  ["model_unknown", /models?\/\S+ is not found|not supported for generateContent|Requested entity was not found/i],
  ["network", /^terminated$|fetch failed|\bE(?:CONN\w+|NOTFOUND|AI_AGAIN|TIMEDOUT|PIPE)\b|socket hang up|timed out/i],
];

const byStatus: Readonly<Record<number, ErrorCode>> = {
  400: "invalid_input",
  401: "not_authenticated",
  403: "not_authenticated",
  404: "model_unknown",
  429: "rate_limited",
};

const help: Readonly<Partial<Record<ErrorCode, string>>> = {
  not_authenticated: signInHelp,
  quota_exhausted: "Wait for the reset, add credit, or use another agent.",
};

export interface Said {
  /** The HTTP status, or another number that means nothing here. */
  readonly code: number;
  readonly message: string;
}

export function failureOf({ code, message }: Said, now: number = Date.now()): AcpFailure | undefined {
  const said = sentenceIn(message);
  const sign = signs.find(([, pattern]) => pattern.test(message))?.[0];
  const known = sign ?? byStatus[code] ?? (code >= 500 && code < 600 ? "overloaded" : undefined);
  if (known === undefined) return undefined;
  const failure: AcpFailure = { code: known, message: said, help: help[known] };
  const seconds = known === "rate_limited" ? waitIn(message) : undefined;
  return seconds === undefined ? failure : { ...failure, resetsAt: new Date(now + seconds * 1000).toISOString() };
}

/** The service's own words, out of the JSON they may be in. */
export function sentenceIn(message: string): string {
  const json = /\{.*\}/s.exec(message)?.[0];
  const inner = json === undefined ? undefined : innerMessage(json);
  return (inner ?? message)
    .replace(/^\[?API Error: /, "")
    .replace(/\s*Suggested retry after \S+$/, "")
    .split("\n", 1)[0]!
    .trim();
}

function innerMessage(json: string): string | undefined {
  try {
    const { error, message } = Object(JSON.parse(json)) as { error?: { message?: unknown }; message?: unknown };
    const said = error?.message ?? message;
    return typeof said === "string" && said !== "" ? said : undefined;
  } catch {
    return undefined;
  }
}

/** "Please retry in 12.5s", "retry after 3s" */
function waitIn(message: string): number | undefined {
  const seconds = Number(/retry (?:in|after) (\d+(?:\.\d+)?)s/i.exec(message)?.[1]);
  return Number.isFinite(seconds) ? seconds : undefined;
}
