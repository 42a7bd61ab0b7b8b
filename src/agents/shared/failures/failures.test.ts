import { describe, expect, test } from "vitest";
import { errorCodes, errorTable } from "../../../events/errors.ts";
import type { FailureFacts } from "../../../protocols/failure.ts";
import { classifier, type FailureCode } from "./classify.ts";
import { resetTime } from "./reset-time.ts";

const now = Date.UTC(2026, 10, 15, 19, 0);
const failures = classifier({
  agent: "some",
  name: "Some",
  kinds: { ours: "session_busy" },
  vagueKinds: { vague: "overloaded" },
  types: [[/^own_type$/, "timeout"]],
  phrases: [[/our own words/, "permission_denied"]],
  frames: [/^Some says: /, /^\[(.*)\]$/],
  help: { overloaded: "Have a rest." },
});
const said = (text: string, more: Partial<FailureFacts> = {}): FailureFacts => ({ text, ...more });

describe("classification", () => {
  test.for<readonly [FailureFacts, FailureCode]>([
    // Order: the agent's own class, the service's type, strong words, the status, weak words.
    [said("429 our own words", { kind: "ours" }), "session_busy"],
    [said("our own words", { type: "own_type" }), "timeout"],
    [said("our own words", { type: "insufficient_quota" }), "quota_exhausted"],
    [said("our own words", { status: 401 }), "permission_denied"],
    [said("our own words", { status: 502 }), "overloaded"],
    [said("the connection was cut", { status: 401 }), "not_authenticated"],
    [said("the connection was cut", { kind: "vague" }), "network"],
    [said("no idea", { kind: "vague" }), "overloaded"],
    [said("", { type: "usage_limit_reached" }), "quota_exhausted"],
    [said("", { type: "rate_limit_error" }), "rate_limited"],
    [said("You have used up your monthly quota.", { type: "rate_limit_error", status: 429 }), "quota_exhausted"],
    [said("", { type: "context_length_exceeded" }), "context_too_long"],
    [said("", { type: "content_filter" }), "refused"],
    [said("", { type: "max_output_tokens" }), "max_tokens"],
    [said("", { type: "model_not_found" }), "model_unknown"],
    [said("", { type: "invalid_api_key" }), "not_authenticated"],
    [said("", { type: "overloaded_error" }), "overloaded"],
    [said('{"error":{"type":"x","code":"insufficient_quota","message":"m"}}', { status: 429 }), "quota_exhausted"],
    [said("m", { body: '{"error":{"details":[{"reason":"API_KEY_INVALID"}]}}', status: 400 }), "not_authenticated"],
    [
      said("", { body: '{"error":{"details":[{"violations":[{"quotaId":"RequestsPerDay"}]}]}}', status: 429 }),
      "quota_exhausted",
    ],
    [
      said("exceeded your current quota", {
        body: '{"error":{"details":[{"violations":[{"quotaId":"RequestsPerMinute"}]}]}}',
        status: 429,
      }),
      "rate_limited",
    ],
    [said("Your credit balance is too low", { status: 400 }), "quota_exhausted"],
    [said("You have used up your monthly quota.", { status: 429 }), "quota_exhausted"],
    [said("Your account is in arrears"), "quota_exhausted"],
    [said("Rate limit reached"), "rate_limited"],
    [said("prompt is too long: 9 > 8", { status: 400 }), "context_too_long"],
    [said("exceeds the maximum number of tokens allowed", { status: 400 }), "context_too_long"],
    [said("Incomplete response returned, reason: max_output_tokens"), "max_tokens"],
    [said("models/x is not found for API version v1"), "model_unknown"],
    [said("Incorrect API key provided", { status: 400 }), "not_authenticated"],
    [said("Selected model is at capacity."), "overloaded"],
    // Statuses, as fields and in the text.
    [said("", { status: 400 }), "invalid_input"],
    [said("", { status: 402 }), "quota_exhausted"],
    [said("402 status code (no body)"), "quota_exhausted"],
    [said("", { status: 403 }), "not_authenticated"],
    [said("", { status: 404 }), "model_unknown"],
    [said("", { status: 408 }), "network"],
    [said("", { status: 413 }), "context_too_long"],
    [said("", { status: 418 }), "invalid_input"],
    [said("", { status: 422 }), "invalid_input"],
    [said("", { status: 429 }), "rate_limited"],
    [said("", { status: 451 }), "refused"],
    [said("the input is too long to be waited for", { status: 504 }), "overloaded"],
    [said("", { status: 529 }), "overloaded"],
    [said("unexpected status 503 Service"), "overloaded"],
    [said("it has 503 lines"), "agent_error"],
    [said("getaddrinfo EAI_AGAIN host"), "network"],
    [said("self-signed certificate"), "network"],
    [said("write EPROTO wrong version number"), "network"],
    [said("Unexpected token '<', \"<!DOCTYPE \"... is not valid JSON"), "network"],
    [said("Model stream ended with empty response text"), "overloaded"],
    [said("invalid_request_error"), "invalid_input"],
    [said(""), "agent_error"],
    [said("who knows"), "agent_error"],
    [said("", { exit: { code: 1, signal: null } }), "agent_crashed"],
    [said("", { exit: { code: 127, signal: null } }), "not_installed"],
    [said("", { exit: { code: 0, signal: null }, onlyGarbage: true }), "protocol_error"],
  ])("classifies %j as %s", ([facts, code]) => {
    const { outcome, error } = failures.ending(facts, now);
    expect(error?.code ?? outcome).toBe(code);
    if (error === undefined) return;
    expect(error).toMatchObject({ agent: "some", retryable: errorTable[error.code].retryable });
    expect(error.message).toMatch(/\S/);
  });

  test("never throws, and can produce every code", () => {
    for (const code of errorCodes) expect(failures.info(code, "m")).toMatchObject({ code, message: "m" });
    for (const text of ["{", "}{", '{"error":null}', "[]", "\0", "|9999999999", "resets 99pm (Nowhere)"])
      expect(failures.error({ text, body: text, retryAfter: text, resetsAt: text }, now).code).toBeDefined();
  });
});

describe("outcome of a turn", () => {
  test.for([
    ["content_filter", "refused"],
    ["max_output_tokens", "max_tokens"],
    ["overloaded", "failed"],
  ] as const)("%s: %s", ([type, outcome]) => expect(failures.ending(said("", { type })).outcome).toBe(outcome));

  test("ends a turn for a budget, a stop and a limit on turns", () => {
    const kinds = { money: "budget_exceeded", stop: "cancelled", turns: "max_turns" } as const;
    const { ending } = classifier({ agent: "some", name: "Some", kinds });
    expect(ending(said("", { kind: "money" }))).toMatchObject({
      outcome: "budget",
      error: { code: "budget_exceeded" },
    });
    expect(ending(said("", { kind: "stop" }))).toEqual({ outcome: "cancelled" });
    expect(ending(said("", { kind: "turns" }))).toEqual({ outcome: "max_turns" });
  });
});

describe("the wait decides between rate limit and quota", () => {
  test.for<readonly [FailureFacts, FailureCode, number | undefined]>([
    [said("Too many requests", { retryAfter: "2" }), "rate_limited", 2],
    [said("You exceeded your current quota. Please retry in 1.5s."), "rate_limited", 1.5],
    [said("Rate limit reached. Please try again in 300s."), "rate_limited", 300],
    [said("Rate limit reached. Please try again in 301s."), "quota_exhausted", 301],
    [said("Too many requests", { resetsAt: "2026-11-15T20:00:00Z" }), "quota_exhausted", 3_600],
    [said("You exceeded your current quota"), "quota_exhausted", undefined],
    [said("Too many requests"), "rate_limited", undefined],
    // A missing credit stays a quota, however short the wait is.
    [said("Your credit balance is too low", { retryAfter: "2" }), "quota_exhausted", 2],
    [said("", { status: 402, retryAfter: "2" }), "quota_exhausted", 2],
    // Only limits have a reset time.
    [said("try again in 20s", { status: 500 }), "overloaded", undefined],
  ])("classifies %j as %s, resetting in %s s", ([facts, code, seconds]) => {
    const { code: told, resetsAt } = failures.error(facts, now);
    expect(told).toBe(code);
    expect(resetsAt).toBe(seconds === undefined ? undefined : new Date(now + seconds * 1_000).toISOString());
  });
});

describe("reset time", () => {
  const at = (text: string, more: Partial<FailureFacts> = {}) => {
    const time = resetTime({ text, ...more }, now);
    return time === undefined ? undefined : new Date(time).toISOString();
  };

  test.for([
    ["You've hit your 5-hour limit · resets 8:01pm (UTC)", "2026-11-15T20:01:00.000Z"],
    ["resets 8am (UTC)", "2026-11-16T08:00:00.000Z"],
    ["resets 12am (UTC)", "2026-11-16T00:00:00.000Z"],
    ["resets 9pm (Europe/Berlin)", "2026-11-15T20:00:00.000Z"],
    ["resets 3pm (America/New_York)", "2026-11-15T20:00:00.000Z"],
    ["resets Nov 20, 8pm (UTC)", "2026-11-20T20:00:00.000Z"],
    ["Claude AI usage limit reached|1794772878", "2026-11-15T20:01:18.000Z"],
    ["resets 8pm (Nowhere/Land)", undefined],
    ["resets Foo 20, 8pm (UTC)", undefined],
    // Later than any quota lasts, or in the past.
    ["resets Jan 2 at 8:30am (UTC)", undefined],
    ["usage limit reached|1700000000", undefined],
    ["Please try again in 3600s.", "2026-11-15T20:00:00.000Z"],
    ["Please try again in 1h2m3.5s.", "2026-11-15T20:02:03.500Z"],
    ["try again in 20ms", "2026-11-15T19:00:00.020Z"],
    ["Retry after 2 minutes", "2026-11-15T19:02:00.000Z"],
    ["wait for 5 days", "2026-11-20T19:00:00.000Z"],
    ["limited until 2026-11-16T00:00:00Z", "2026-11-16T00:00:00.000Z"],
    ["your monthly cycle ends on 12/2/2026", "2026-12-02T00:00:00.000Z"],
    ['"resets_in_seconds": 600', "2026-11-15T19:10:00.000Z"],
    ['"retryDelay": "2s"', "2026-11-15T19:00:02.000Z"],
    ['"resets_at": 1794772878', "2026-11-15T20:01:18.000Z"],
    ["Try again later.", undefined],
    ["", undefined],
  ] as const)("%s: %s", ([text, expected]) => expect(at(text)).toBe(expected));

  test.for([
    ["2", "2026-11-15T19:00:02.000Z"],
    ["1.5", "2026-11-15T19:00:01.500Z"],
    ["6m0s", "2026-11-15T19:06:00.000Z"],
    ["Sun, 15 Nov 2026 19:01:00 GMT", "2026-11-15T19:01:00.000Z"],
    ["soon", undefined],
  ] as const)("reads a header %s: %s", ([retryAfter, expected]) => expect(at("", { retryAfter })).toBe(expected));

  test("prefers a timestamp to a header, and a header to words", () => {
    const text = "try again in 3s";
    expect(at(text, { retryAfter: "2" })).toBe("2026-11-15T19:00:02.000Z");
    expect(at(text, { retryAfter: "2", resetsAt: "2026-11-15T19:00:01Z" })).toBe("2026-11-15T19:00:01.000Z");
    expect(at(text, { resetsAt: "2020-01-01T00:00:00Z" })).toBe("2026-11-15T19:00:03.000Z");
  });
});

describe("message", () => {
  test.for([
    ["Some says: It broke.\nat line 1", "It broke."],
    ["[It broke.]", "It broke."],
    ['{"error":{"message":"Inner."}}', "Inner."],
    ['got status: X. {"error":{"message":"{\\"error\\":{\\"message\\":\\"Deeper.\\"}}"}}', "Deeper."],
    ["{broken", "{broken"],
    [
      "<html><body>Sign in</body></html>",
      "Something between this machine and the model's service, such as a proxy, answered instead.",
    ],
    ["No response was returned.", "The model returned an empty answer."],
  ] as const)("%s: %s", ([text, message]) => expect(failures.error({ text }).message).toBe(message));

  test("gives the agent's own advice, or the usual one", () => {
    expect(failures.error(said("", { status: 500 })).help).toBe("Have a rest.");
    expect(failures.error(said("", { status: 429 })).help).toBe("Wait a moment and try again.");
    expect(failures.error(said("", { status: 402 })).help).toBe("Add credit to the account.");
    expect(failures.info("network", "m", { help: "Plug it in." }).help).toBe("Plug it in.");
  });
});

describe("process exit", () => {
  const ended = classifier({
    agent: "some",
    name: "Some",
    stderr: [
      [/not signed in/, "not_authenticated"],
      [/limit reached/, "quota_exhausted"],
    ],
    stderrNoise: /^warning/,
  });
  const exit = (code: number | null, stderr: string, garbage?: boolean) =>
    ended.exit({ code, signal: null }, stderr, garbage, now);

  test("reports a known complaint as its line, without what precedes it", () => {
    expect(exit(1, "one line\nerror: Error: you are not signed in\nanother")).toMatchObject({
      code: "not_authenticated",
      message: "you are not signed in",
    });
  });

  test("reports a limit with its reset time, as a rate limit when the wait is short", () => {
    expect(exit(1, "limit reached, try again in 2 minutes")).toMatchObject({
      code: "rate_limited",
      resetsAt: new Date(now + 120_000).toISOString(),
    });
    expect(exit(1, "limit reached: your credit balance is too low")).toMatchObject({ code: "quota_exhausted" });
  });

  test.for<readonly [number | null, string, boolean, string]>([
    [127, "sh: some: not found", false, "not_installed"],
    [126, "", false, "not_installed"],
    [0, "", true, "protocol_error"],
    [1, "warning: noise", false, "agent_crashed"],
    [null, "", false, "agent_crashed"],
  ])("explains an exit without a known complaint: %j", ([code, stderr, garbage, expected]) => {
    expect(exit(code, stderr, garbage).code).toBe(expected);
  });
});
