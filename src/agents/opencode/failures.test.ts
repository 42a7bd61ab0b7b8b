import { expect, test } from "vitest";
import { factsOf, failures, isAbort, retryIn } from "./failures.ts";

const errorOf = (error: unknown) => failures.error(factsOf(error));

const api = (statusCode: number | undefined, message: string, responseBody = "") => ({
  name: "APIError",
  data: { message, statusCode, responseBody, isRetryable: false },
});
const other = (message: string) => ({ name: "UnknownError", data: { message } });

test.each([
  [api(401, "Incorrect API key provided: sk-x."), "not_authenticated"],
  [api(403, "Forbidden"), "not_authenticated"],
  [api(402, "Payment required"), "quota_exhausted"],
  [api(404, "The model `x` does not exist"), "model_unknown"],
  [api(413, "Too large"), "context_too_long"],
  [api(429, "Slow down"), "rate_limited"],
  [api(429, "x", '{"error":{"code":"insufficient_quota"}}'), "quota_exhausted"],
  [api(500, "Oh no"), "overloaded"],
  [api(529, "Overloaded"), "overloaded"],
  [api(400, "Bad request."), "invalid_input"],
  [api(400, "x", '{"error":{"code":"context_length_exceeded"}}'), "context_too_long"],
  [{ name: "ProviderAuthError", data: { providerID: "openai", message: "No key" } }, "not_authenticated"],
  [{ name: "ContextOverflowError", data: { message: "Too long" } }, "context_too_long"],
  [{ name: "ContentFilterError", data: {} }, "refused"],
  [other("Model not found: scripted/nope."), "model_unknown"],
  [other("ProviderModelNotFoundError: Model not found: a/b.\n    at <anonymous> (/x.js:1:2)"), "model_unknown"],
  [other("Unable to connect. Is the computer able to access the url?"), "network"],
  [other("Something else"), "agent_error"],
  [undefined, "agent_error"],
])("classifies %j as %s", (error, code) => {
  expect(errorOf(error)).toMatchObject({ code, agent: "opencode", message: expect.stringMatching(/\S/) as string });
});

test("treats an abort as no error, and reports the first line of a stack trace", () => {
  expect(isAbort({ name: "MessageAbortedError", data: { message: "Aborted" } })).toBe(true);
  expect(errorOf(other("ProviderModelNotFoundError: Model not found: a/b.\n  at x"))?.message).toBe(
    "Model not found: a/b.",
  );
});

const now = Date.UTC(2026, 10, 15, 19, 0, 0);
test.each([
  ["The server had an error while processing your request.", 2_000, "overloaded", false],
  ["Rate limit reached for scripted on requests per min. Please try again in 1s.", 1_000, "rate_limited", false],
  ["Rate limit reached for scripted on requests per day.", 3_600_000, "quota_exhausted", true],
  ["You exceeded your current quota, please check your plan and billing details.", 2_000, "quota_exhausted", true],
  ["Connection reset by server", 2_000, "network", false],
  ['{"message":"Our servers are currently overloaded.","code":"server_is_overloaded"}', 2_000, "overloaded", false],
  ["Whatever", 2_000, "overloaded", false],
])("classifies a retry because of %s", (said, wait, code, hopeless) => {
  const { event, over } = retryIn({ attempt: 1, next: now + wait, message: said }, undefined, now);
  const { error } = event;
  expect(error).toMatchObject({ code });
  expect(error.message).not.toContain("{");
  expect(over).toBe(hopeless);
  const limited = code === "rate_limited" || wait > 60_000;
  expect(error.resetsAt).toBe(limited ? new Date(now + wait).toISOString() : undefined);
});

test.each([
  [{ code: 1, signal: null }, "ConfigInvalidError: x", "invalid_input"],
  [{ code: 127, signal: null }, "", "not_installed"],
  [{ code: null, signal: "SIGKILL" as const }, "", "agent_crashed"],
])("classifies an exit %j with %s as %s", (exit, stderr, code) => {
  expect(failures.exit(exit, stderr)).toMatchObject({ code });
});
