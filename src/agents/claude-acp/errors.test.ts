import { expect, test } from "vitest";
import { failureOf, isErrorText } from "./errors.ts";

const error = (message: string, errorKind?: string) =>
  failureOf({ code: -32603, message: `Internal error: ${message}`, data: errorKind && { errorKind } });

test.each([
  ["x", "authentication_failed", "not_authenticated"],
  ["x", "billing_error", "quota_exhausted"],
  ["x", "rate_limit", "rate_limited"],
  ["x", "model_not_found", "model_unknown"],
  ["x", "server_error", "overloaded"],
  ["x", "invalid_request", "invalid_input"],
  ["Prompt is too long", "invalid_request", "context_too_long"],
  ["Reached maximum budget ($0.5)", undefined, "budget_exceeded"],
])("%s (%s) is %s", (message, kind, code) => {
  expect(error(message, kind)).toMatchObject({ code, message });
});

test("limits that end a turn, and what it does not tell", () => {
  expect(error("Reached maximum number of turns (2)")).toMatchObject({ outcome: "max_turns" });
  expect(error("Something else")).toBeUndefined();
});

test.each([
  ["API Error: 500 Internal server error.", true],
  ["Invalid API key · Fix external API key", true],
  ["You've hit your limit · resets 3pm", true],
  ["The API Error was mine.", false],
  ["Hello", false],
])("%s", (text, is) => {
  expect(isErrorText(text)).toBe(is);
});
