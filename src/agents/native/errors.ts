/** Failures of a model's service as error codes, with what the person should do next. */
import { ReinsError } from "../../events/errors.ts";
import type { ErrorCode } from "../../events/errors.ts";
import type { Endpoint } from "./endpoints.ts";

/** What is known of a failure, whoever threw it. */
interface Facts {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The service's own class of it. */
  readonly kind: string;
  readonly said: string;
  readonly body: string;
  /** Codes of the system below: ECONNREFUSED. */
  readonly system: string;
}

export function serviceError(thrown: unknown, endpoint: Endpoint, now = Date.now()): ReinsError {
  const facts = factsOf(thrown);
  const wait = waitOf(facts, now);
  const code = codeOf(facts, wait);
  const limited = code === "rate_limited" || code === "quota_exhausted";
  const resetsAt = limited && wait !== undefined ? new Date(now + wait).toISOString() : undefined;
  const said = firstParagraph(facts.said);
  const message = code === "network" ? `${endpoint.label} could not be reached, or the connection was cut.` : said;
  return new ReinsError(code, message || `${endpoint.label} answered with an error.`, {
    agent: "native",
    cause: thrown,
    resetsAt,
    help: helpFor(code, endpoint),
  });
}

function helpFor(code: ErrorCode, { variable, baseUrl }: Endpoint): string | undefined {
  switch (code) {
    case "not_authenticated":
      return `Check the key in ${variable}.`;
    case "model_unknown":
      return "Choose another model; `reins models native` lists those there are.";
    case "rate_limited":
      return "Wait a moment and try again.";
    case "quota_exhausted":
      return "Wait for the reset, add credit to the account, or use another agent.";
    case "overloaded":
      return "Try again in a moment.";
    case "context_too_long":
      return "Start a new session, or say /compact first.";
    case "network":
      return `Check the connection to ${new URL(baseUrl).host} and try again.`;
    default:
      return undefined;
  }
}

/** Who is told to come back later than this has used up an allowance, and is not just too fast. */
const longWaitMs = 300_000;

function codeOf({ status, kind, said, body, system }: Facts, wait = 0): ErrorCode {
  const text = `${kind} ${said} ${body}`;
  if (/credit balance is too low|insufficient_quota|credits? (are|is) (depleted|exhausted)|billing_error/i.test(text))
    return "quota_exhausted";
  if (
    status === 413 ||
    /prompt is too long|context_length_exceeded|context window|maximum context length|exceeds the maximum number of tokens/i.test(
      text,
    )
  )
    return "context_too_long";
  if (status === 401 || status === 403 || /API_KEY_INVALID|api key not valid|authentication_error/i.test(text))
    return "not_authenticated";
  if (status === 404 || /model_not_found/.test(text)) return "model_unknown";
  if (status === 429 || /rate_limit_error|rate_limit_exceeded/.test(kind))
    return wait > longWaitMs || /PerDay|per day/i.test(text) ? "quota_exhausted" : "rate_limited";
  if ((status !== undefined && status >= 500) || /overloaded/i.test(text)) return "overloaded";
  if (system !== "" || /terminated|fetch failed|socket|interrupted|timed? ?out|other side closed/i.test(said))
    return "network";
  if (status !== undefined && status >= 400) return "invalid_input";
  return "protocol_error";
}

/** Whatever was thrown: an error of the packages, of `fetch`, or what stood in a stream as it is. */
function factsOf(thrown: unknown): Facts {
  const error = fields(thrown);
  // A cut stream is an error of its own around what the system said.
  const chain = causes(thrown);
  const status = chain.map(({ statusCode }) => statusCode).find((value) => typeof value === "number" && value >= 400);
  const inner = fields(fields(error["data"])["error"] ?? error["error"]);
  return {
    status: status as number | undefined,
    headers: fields(error["responseHeaders"]) as Facts["headers"],
    kind: [error["type"], inner["type"], inner["code"], error["code"]]
      .filter((one) => typeof one === "string")
      .join(" "),
    said: chain.map(({ message }) => message).findLast((value) => typeof value === "string") ?? asText(thrown),
    body: asText(error["responseBody"]),
    system: chain.map(({ code }) => asText(code)).find((code) => /^(E[A-Z_]+|UND_ERR\w*|ERR_\w+)$/.test(code)) ?? "",
  };
}

type Fields = Readonly<Record<string, unknown>> & { readonly message?: string };

function causes(thrown: unknown): Fields[] {
  const chain: Fields[] = [];
  for (let at: unknown = thrown; typeof at === "object" && at !== null && chain.length < 5; at = fields(at)["cause"])
    chain.push(fields(at));
  return chain;
}

function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** In milliseconds. Headers say it in seconds, milliseconds or as a date; Google says it in the body. */
function waitOf({ headers, body, said }: Facts, now: number): number | undefined {
  const text = `${body} ${said}`;
  const ms = Number(headers["retry-after-ms"]);
  if (headers["retry-after-ms"] !== undefined && Number.isFinite(ms)) return ms;
  const after = headers["retry-after"];
  if (after !== undefined) {
    const delay = /^\d+(\.\d+)?$/.test(after) ? Number(after) * 1_000 : Date.parse(after) - now;
    if (Number.isFinite(delay)) return Math.max(0, delay);
  }
  const [, seconds] =
    /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(text) ?? /(?:try again|retry) in (\d+(?:\.\d+)?)s\b/.exec(text) ?? [];
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}

function firstParagraph(said: string): string {
  return said
    .split(/\n\s*\n/, 1)[0]!
    .trim()
    .slice(0, 1_000);
}
