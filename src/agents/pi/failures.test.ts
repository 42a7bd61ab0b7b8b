import { expect, test } from "vitest";
import type { ErrorCode } from "../../events/errors.ts";
import { endingOf, failures } from "./failures.ts";

const now = Date.UTC(2026, 10, 15, 12);

test.for<[string, ErrorCode, string]>([
  ['401: {"message":"Bad key","code":"invalid_api_key"}', "not_authenticated", "Bad key"],
  ['403 {"error":{"message":"No"}}', "not_authenticated", "No"],
  ["No API key found for anthropic.\n\nUse /login to log in", "not_authenticated", "No API key found for anthropic."],
  ['404: {"message":"The model `x` does not exist"}', "model_unknown", "The model `x` does not exist"],
  ['429: {"message":"Slow down","code":"rate_limit_exceeded"}', "rate_limited", "Slow down"],
  ["Too Many Requests", "rate_limited", "Too Many Requests"],
  [
    '429: {"message":"You exceeded your current quota","code":"insufficient_quota"}',
    "quota_exhausted",
    "You exceeded your current quota",
  ],
  ["402 Payment required", "quota_exhausted", "402 Payment required"],
  ['{"error":{"code":429,"message":"Resource exhausted","status":"X"}}', "rate_limited", "Resource exhausted"],
  ['400: {"message":"Too long","code":"context_length_exceeded"}', "context_too_long", "Too long"],
  ["413: request too large", "context_too_long", "413: request too large"],
  [
    "Context overflow recovery failed after one attempt.",
    "context_too_long",
    "Context overflow recovery failed after one attempt.",
  ],
  ['400: {"message":"Bad request"}', "invalid_input", "Bad request"],
  ['500: {"message":"Ouch"}', "overloaded", "Ouch"],
  ['529 {"error":{"type":"overloaded_error","message":"Overloaded"}}', "overloaded", "Overloaded"],
  ["Overloaded", "overloaded", "Overloaded"],
  ["Provider finish_reason: content_filter", "refused", "Provider finish_reason: content_filter"],
  ["Connection error.", "network", "Connection error."],
  ["terminated", "network", "terminated"],
  ["Stream ended without finish_reason", "network", "Stream ended without finish_reason"],
  ["fetch failed: ECONNREFUSED", "network", "fetch failed: ECONNREFUSED"],
  ["", "agent_error", ""],
  ["{broken", "agent_error", "{broken"],
])("classifies %s as %s", ([said, code, message]) => {
  const error = failures.error({ text: said }, now);
  expect(error).toMatchObject({ code, agent: "pi" });
  if (said !== "") expect(error.message).toBe(message);
  else expect(error.message).toMatch(/\S/);
});

test.for<[string, string | undefined]>([
  ["429: Please try again in 20s.", "2026-11-15T12:00:20.000Z"],
  ["429: Please try again in 1h2m3s.", "2026-11-15T13:02:03.000Z"],
  ["429: try again in 500ms", "2026-11-15T12:00:00.500Z"],
  ['429: {"message":"Used up","resets_in_seconds":600}', "2026-11-15T12:10:00.000Z"],
  ["429: later", undefined],
  ["500: try again in 20s", undefined],
])("reads the reset time of %s: %s", ([said, resetsAt]) =>
  expect(failures.error({ text: said }, now).resetsAt).toBe(resetsAt),
);

test.for<[object | undefined, string, ErrorCode | undefined]>([
  [{ stopReason: "stop" }, "done", undefined],
  [{ stopReason: "toolUse" }, "done", undefined],
  [undefined, "done", undefined],
  [{ stopReason: "length" }, "max_tokens", undefined],
  [{ stopReason: "aborted", errorMessage: "Request was aborted" }, "cancelled", undefined],
  [{ stopReason: "error", errorMessage: "500: x" }, "failed", "overloaded"],
  [{ stopReason: "error", errorMessage: "Provider finish_reason: content_filter" }, "refused", "refused"],
  [{ stopReason: "error" }, "failed", "agent_error"],
])("ends the turn for %j as %s", ([answer, outcome, code]) => {
  const ending = endingOf(answer as Record<string, unknown> | undefined, now);
  expect([ending.outcome, ending.error?.code]).toEqual([outcome, code]);
});

test.for<[number | null, NodeJS.Signals | null, string, boolean, ErrorCode, string]>([
  [
    1,
    null,
    "No API key found for the selected model.\n\nUse /login",
    false,
    "not_authenticated",
    "No API key found for the selected model.",
  ],
  [
    1,
    null,
    'Error: Model "x" not found. Use --list-models',
    false,
    "model_unknown",
    'Model "x" not found. Use --list-models',
  ],
  [1, null, "No session found matching 'nope'", false, "session_not_found", "No session found matching 'nope'"],
  [
    1,
    null,
    "Error: Cannot fork: source session file is empty",
    false,
    "session_not_found",
    "Cannot fork: source session file is empty",
  ],
  [1, null, "Error: Unknown option: -zz", false, "invalid_input", "Unknown option: -zz"],
  [
    1,
    null,
    'Error: Failed to load extension "/x.ts": no',
    false,
    "invalid_input",
    'Failed to load extension "/x.ts": no',
  ],
  [127, null, "not found", false, "not_installed", "pi could not be started (exit code 127): not found"],
  [0, null, "", true, "protocol_error", "pi printed something that is not its protocol and ended."],
  [null, "SIGKILL", "", false, "agent_crashed", "pi was ended by SIGKILL."],
  [143, null, "", false, "agent_crashed", "pi was ended by SIGTERM."],
  [0, null, "", false, "agent_crashed", "pi ended without a result."],
  [7, null, "one\ntwo\n", false, "agent_crashed", "pi ended with exit code 7: two"],
])("explains exit %s %s with %j", ([code, signal, stderr, garbage, expected, message]) => {
  expect(failures.exit({ code, signal }, stderr, garbage)).toMatchObject({ code: expected, message });
});
