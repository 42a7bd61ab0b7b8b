import { describe, expect, test } from "vitest";
import { ReinsError, type ErrorCode } from "../../events/errors.ts";
import { endpointsOf } from "./endpoints.ts";
import { serviceError } from "./failures.ts";
import { delayFor } from "./model-call.ts";

const [endpoint] = endpointsOf({ ANTHROPIC_API_KEY: "made-up" });
const now = Date.parse("2026-01-01T00:00:00Z");

function call(statusCode: number, body: object | string, responseHeaders: Record<string, string> = {}): Error {
  const responseBody = typeof body === "string" ? body : JSON.stringify(body);
  const said = (body as { error?: { message?: string } }).error?.message;
  return Object.assign(new Error(said ?? "Bad"), { statusCode, responseBody, responseHeaders });
}

const cut = Object.assign(new Error("Failed to process successful response"), {
  statusCode: 200,
  cause: Object.assign(new TypeError("terminated"), {
    cause: Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" }),
  }),
});
const refused = Object.assign(new Error("Cannot connect to API"), {
  cause: Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }),
});

const table: readonly [string, unknown, ErrorCode][] = [
  [
    "Anthropic's bad key",
    call(401, { error: { type: "authentication_error", message: "invalid x-api-key" } }),
    "not_authenticated",
  ],
  [
    "Google's bad key",
    call(400, { error: { message: "API key not valid.", details: [{ reason: "API_KEY_INVALID" }] } }),
    "not_authenticated",
  ],
  ["a key that may not", call(403, {}), "not_authenticated"],
  ["an unknown model", call(404, { error: { type: "not_found_error", message: "model: x" } }), "model_unknown"],
  ["OpenAI's unknown model", call(400, { error: { code: "model_not_found" } }), "model_unknown"],
  [
    "Anthropic's empty account",
    call(400, { error: { message: "Your credit balance is too low to access the API." } }),
    "quota_exhausted",
  ],
  [
    "OpenAI's empty account",
    call(429, { error: { code: "insufficient_quota", message: "You exceeded your current quota." } }),
    "quota_exhausted",
  ],
  [
    "Google's empty account",
    call(429, { error: { message: "Your prepayment credits are depleted." } }),
    "quota_exhausted",
  ],
  [
    "Google's day",
    call(429, { error: { details: [{ quotaId: "GenerateRequestsPerDayPerProject" }] } }),
    "quota_exhausted",
  ],
  ["too many requests", call(429, { error: { type: "rate_limit_error", message: "Too many." } }), "rate_limited"],
  ["an hour to wait", call(429, {}, { "retry-after": "3600" }), "quota_exhausted"],
  [
    "Anthropic's full context",
    call(400, { error: { message: "prompt is too long: 2 tokens > 1 maximum" } }),
    "context_too_long",
  ],
  ["OpenAI's full context", call(400, { error: { code: "context_length_exceeded" } }), "context_too_long"],
  [
    "Google's full context",
    call(400, { error: { message: "The input token count (2) exceeds the maximum number of tokens allowed (1)." } }),
    "context_too_long",
  ],
  ["a body that is too large", call(413, "too large"), "context_too_long"],
  ["a bad request", call(400, { error: { message: "Bad request." } }), "invalid_input"],
  ["a server error", call(500, {}), "overloaded"],
  ["overload", call(529, {}), "overloaded"],
  ["overload inside a stream", { type: "overloaded_error", message: "Overloaded" }, "overloaded"],
  ["a cut stream", cut, "network"],
  ["nobody there", refused, "network"],
  ["an answer that breaks off", new Error("The answer was interrupted."), "network"],
  ["nonsense", { strange: true }, "agent_error"],
  ["a text", "what", "agent_error"],
  ["nothing", undefined, "agent_error"],
];

describe("maps a failure to a code, a message and advice", () => {
  test.each(table)("classifies %s", (_name, thrown, code) => {
    const error = serviceError(thrown, endpoint!, now);
    expect(error).toMatchObject({ code, agent: "native", message: expect.stringMatching(/\S/) as string });
    expect(JSON.stringify(error)).not.toContain("made-up");
  });
});

test.each([
  [call(429, {}, { "retry-after": "2" }), "2026-01-01T00:00:02.000Z"],
  [call(429, {}, { "retry-after-ms": "1500" }), "2026-01-01T00:00:01.500Z"],
  [call(429, {}, { "retry-after": "Thu, 01 Jan 2026 00:01:00 GMT" }), "2026-01-01T00:01:00.000Z"],
  [call(429, { error: { details: [{ retryDelay: "7s" }] } }), "2026-01-01T00:00:07.000Z"],
  [call(429, { error: { message: "Please try again in 6.5s." } }), "2026-01-01T00:00:06.500Z"],
  [call(429, {}, { "retry-after": "soon" }), undefined],
  [call(500, {}, { "retry-after": "2" }), undefined],
])("finds the reset time in headers, the body or the text (%#)", (thrown, resetsAt) => {
  expect(serviceError(thrown, endpoint!, now).resetsAt).toBe(resetsAt);
});

test.each([
  ["overloaded", 1, undefined, 300],
  ["overloaded", 2, undefined, 1_500],
  ["overloaded", 3, undefined, undefined],
  ["rate_limited", 1, "2026-01-01T00:00:02Z", 2_000],
  ["rate_limited", 1, "2026-01-01T01:00:00Z", undefined],
  ["network", 1, undefined, 300],
  ["not_authenticated", 1, undefined, undefined],
  ["context_too_long", 1, undefined, undefined],
  ["invalid_input", 1, undefined, undefined],
] as const)("for %s, failure %i, resetting at %s: waits %s", (code, failures, resetsAt, expected) => {
  expect(delayFor(new ReinsError(code, "x", { resetsAt }), failures, now)).toBe(expected);
});
