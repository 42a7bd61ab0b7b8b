import { expect, test } from "vitest";
import type { ErrorCode } from "../../events/errors.ts";
import { endingOf, failures, reachedTurnLimit } from "./failures.ts";

test.for<readonly [string, number | undefined, ErrorCode]>([
  ["[API Error: 401 Incorrect API key provided]", undefined, "not_authenticated"],
  ["403 Forbidden", undefined, "not_authenticated"],
  ["No auth type is selected. Please configure one.", undefined, "not_authenticated"],
  ["Qwen OAuth free tier has been discontinued as of 2026-04-15.", undefined, "not_authenticated"],
  ["404 no such thing", undefined, "model_unknown"],
  ["The model `x` does not exist", undefined, "model_unknown"],
  ["429 slow down", undefined, "rate_limited"],
  ["slow down", 429, "rate_limited"],
  ["You exceeded your current quota", 429, "quota_exhausted"],
  ["Allocated quota exceeded, please increase your quota limit.", 429, "quota_exhausted"],
  ["500 oops", undefined, "overloaded"],
  ["oops (Status: 503)", undefined, "overloaded"],
  ["Model stream ended with empty response text.", undefined, "overloaded"],
  ["Range of input length should be [1, 1000]", 400, "context_too_long"],
  ["This model's maximum context length is 8192 tokens", 400, "context_too_long"],
  ["413", undefined, "context_too_long"],
  ["Connection error. (cause: ECONNREFUSED)", undefined, "network"],
  ["terminated", undefined, "network"],
  ["400 bad field", undefined, "invalid_input"],
  ["No saved session found with ID x", undefined, "session_not_found"],
  ["who knows", undefined, "agent_error"],
  ["402 status code (no body)", undefined, "quota_exhausted"],
  ["You have used up your monthly quota.", 429, "quota_exhausted"],
  ["504 The request is too large to be waited for.", undefined, "overloaded"],
])("classifies %s (%s) as %s", ([said, status, code]) => {
  expect(failures.error({ text: said, status })).toMatchObject({
    code,
    agent: "qwen",
    message: expect.stringMatching(/\S/),
  });
});

test("removes the frame and the status from a message", () => {
  expect(failures.error({ text: "[API Error: 401 no key]\nRun /auth." }).message).toBe("no key");
  expect(failures.error({ text: "" }).message).not.toBe("");
});

test("reports when a limit resets", () => {
  expect(failures.error({ text: "429 Please try again in 60s." }, 0)).toMatchObject({
    resetsAt: "1970-01-01T00:01:00.000Z",
  });
  expect(failures.error({ text: "500 Please try again in 60s." }, 0)).not.toHaveProperty("resetsAt");
});

test("reports how a turn ended", () => {
  const failed = (message: string) => ({ is_error: true, error: { message } });
  expect(endingOf({ is_error: false }, undefined)).toEqual({ outcome: "done" });
  expect(endingOf(failed("Operation cancelled."), undefined)).toEqual({ outcome: "cancelled" });
  expect(endingOf(failed("Operation cancelled."), { text: "", status: 500 })).toMatchObject({
    outcome: "failed",
    error: { code: "overloaded" },
  });
  expect(endingOf(failed("[API Error: 401 x]"), undefined)).toMatchObject({ outcome: "failed" });
  expect(endingOf({ is_error: true }, undefined)).toMatchObject({
    outcome: "failed",
    error: { code: "agent_error" },
  });
});

test.for<readonly [string, ErrorCode]>([
  ["No saved session found with ID x. Run `qwen --resume` without an ID.", "session_not_found"],
  ["Error: Session Id x is already in use.", "session_busy"],
  ["No auth type is selected. Please configure an auth type.", "not_authenticated"],
  ["Unknown argument: nope", "invalid_input"],
  ["Failed to parse stream-json line: Unexpected token", "protocol_error"],
  ["Ripgrep not available: spawn rg EACCES", "agent_crashed"],
])("classifies %s on stderr as %s", ([stderr, code]) => {
  const error = failures.exit({ code: 1, signal: null }, `Ripgrep not available: x\n${stderr}\n`, false);
  expect(error).toMatchObject({ code });
  expect(error.message).not.toContain("Ripgrep");
});

test("explains exits", () => {
  expect(failures.exit({ code: 130, signal: null }, "", false).message).toBe("Qwen Code was ended by SIGINT.");
  expect(failures.exit({ code: 127, signal: null }, "", false).code).toBe("not_installed");
  expect(failures.exit({ code: 0, signal: null }, "", true)).toMatchObject({ code: "protocol_error" });
  expect(reachedTurnLimit({ code: 53, signal: null })).toBe(true);
  expect(reachedTurnLimit({ code: 1, signal: null })).toBe(false);
});
