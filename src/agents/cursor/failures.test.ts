import { expect, test } from "vitest";
import { exitError, failures, toldError } from "./failures.ts";

const exit = { code: 1, signal: null };

/** Each text was seen in practice or comes from the service's own library. */
test.for([
  [
    "Error: Authentication required. Please run 'agent login' first, or set CURSOR_API_KEY environment variable.",
    "not_authenticated",
  ],
  ["\u001b[33m⚠ Warning: The provided API key is invalid.\u001b[0m\n", "not_authenticated"],
  [
    "⚠ Workspace Trust Required\n\n  Cursor Agent can execute code and access files in this directory.",
    "invalid_input",
  ],
  ["Cannot use this model: gpt-0. Available models: auto, gpt-5.3-codex-low, quota-1", "model_unknown"],
  [
    "ActionRequiredError: Named models unavailable Free plans can only use Auto. Switch to Auto or upgrade plans to continue.",
    "model_unknown",
  ],
  [
    'Failed to claim persistent session for chat "nope": Persistent-session chat ID must be a UUID',
    "session_not_found",
  ],
  [
    "ActionRequiredError: You've hit your usage limit Get Cursor Pro for more Agent usage, unlimited Tab, and more.",
    "quota_exhausted",
  ],
  ["You've hit your rate limit. Please try again later.", "rate_limited"],
  ["ConnectError: [resource_exhausted] Error", "rate_limited"],
  ["RetriableError: [unavailable] HTTP 503", "overloaded"],
  ["Connection lost, reconnecting to https://service.example (attempt 2)...\nRetry attempt 2...", "network"],
  [
    "RetriableError: [internal] no\nConnection lost, reconnecting to https://service.example (attempt 2)...",
    "overloaded",
  ],
  ["ConnectError: [unauthenticated] no", "not_authenticated"],
  ["ConnectError: [permission_denied] no", "not_authenticated"],
  ["ConnectError: [aborted] read ECONNRESET", "network"],
  ["error: unknown option '--stream-partial-output'", "version_unsupported"],
  ["Headless mode has been disabled by your team admin.", "permission_denied"],
  ["ConnectError: [invalid_argument] the field quota is no number", "invalid_input"],
  ["ConnectError: [invalid_argument] rate limit must be above 500", "invalid_input"],
  ["ConnectError: [permission_denied] no model of 512 is shared with you", "not_authenticated"],
  ["ConnectError: [resource_exhausted] quota exceeded for this month", "quota_exhausted"],
  ["ConnectError: [resource_exhausted] You've hit your usage limit", "quota_exhausted"],
  ["Error: You exceeded your current quota.", "quota_exhausted"],
  ["ConnectError: [unknown] HTTP 429", "rate_limited"],
  ["Error: Request failed with status code 502", "overloaded"],
  ["Error: HTTP/1.1 503", "overloaded"],
  ["Error: 500 Internal Server Error", "overloaded"],
  ["TypeError: quota.json has 503 lines, and 429 of them are no JSON", "agent_crashed"],
  ["Aborting operation...", "agent_crashed"],
  ["", "agent_crashed"],
] as const)("classifies %j as %s", ([stderr, code]) => {
  expect(exitError(exit, stderr, false).code).toBe(code);
});

test("reports one sentence, without the list of models and without colours", () => {
  const unknown = exitError(exit, "Cannot use this model: gpt-0. Available models: auto, b, c", false);
  expect(unknown).toMatchObject({
    message: "Cannot use this model: gpt-0.",
    help: expect.stringContaining("reins models"),
  });
  const key = exitError(exit, "\u001b[33m⚠ Warning: The provided API key is invalid.\u001b[0m", false);
  expect(key).toMatchObject({
    message: "The provided API key is invalid.",
    help: expect.stringContaining("reins login cursor"),
  });
});

test("says how to trust an untrusted folder", () => {
  expect(exitError(exit, "⚠ Workspace Trust Required", false).help).toContain("REINS_CURSOR_TRUST=1");
});

test("says when a used-up plan resets, if Cursor reports it", () => {
  const stderr =
    "Error: You've hit your usage limit\nYour usage limits will reset when your monthly cycle ends on 10/2/2026.";
  expect(failures.exit(exit, stderr, false, Date.UTC(2026, 8, 20)).resetsAt).toBe("2026-10-02T00:00:00.000Z");
  expect(failures.exit(exit, stderr, false, Date.UTC(2026, 10, 1)).resetsAt).toBeUndefined();
  expect(exitError(exit, "usage limit, see on 99/99/99999", false).resetsAt).toBeUndefined();
});

test("gives a failure in a message a code, and a default text", () => {
  expect(toldError("[unavailable] no")).toMatchObject({ code: "overloaded", agent: "cursor" });
  expect(toldError("Something odd\nand more")).toMatchObject({ code: "agent_error", message: "Something odd" });
  expect(toldError("").message).toContain("failed without a message");
});
