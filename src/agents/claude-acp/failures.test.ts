import { expect, test } from "vitest";
import { factsOf } from "../../protocols/acp/failures.ts";
import { failureOf, failures, isErrorText } from "./failures.ts";

const error = (message: string, errorKind?: string) =>
  failures.ending(
    factsOf(
      { code: -32603, message: `Internal error: ${message}`, data: errorKind && { errorKind } },
      { quirks: { failure: failureOf } },
    ),
  );

test.each([
  ["x", "authentication_failed", "not_authenticated"],
  ["x", "billing_error", "quota_exhausted"],
  ["x", "rate_limit", "rate_limited"],
  ["x", "model_not_found", "model_unknown"],
  ["x", "server_error", "overloaded"],
  ["x", "invalid_request", "invalid_input"],
  ["Prompt is too long", "invalid_request", "context_too_long"],
  ["Reached maximum budget ($0.5)", undefined, "budget_exceeded"],
])("classifies %s (%s) as %s", (message, kind, code) => {
  expect(error(message, kind)).toMatchObject({ error: { code, message } });
});

test("reports limits that end a turn, and ignores limits that the adapter does not report", () => {
  expect(error("Reached maximum number of turns (2)")).toMatchObject({ outcome: "max_turns" });
  expect(error("Something else")).toMatchObject({ error: { code: "agent_error", message: "Something else" } });
});

test.each([
  ["API Error: 500 Internal server error.", true],
  ["Invalid API key · Fix external API key", true],
  ["You've hit your limit · resets 3pm", true],
  ["The API Error was mine.", false],
  ["Hello", false],
])("recognizes %s", (text, is) => {
  expect(isErrorText(text)).toBe(is);
});
