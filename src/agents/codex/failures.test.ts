import { expect, test } from "vitest";
import { factsOf, failures, isServerless } from "./failures.ts";

const errorOf = (error: unknown) => failures.error(factsOf(error));

const status = (kind: string, httpStatusCode: number | null) => ({ [kind]: { httpStatusCode } });

test.for([
  // As recorded.
  [status("httpConnectionFailed", 401), "unexpected status 401 Unauthorized: Incorrect API key", "not_authenticated"],
  [status("httpConnectionFailed", 403), "unexpected status 403 Forbidden", "not_authenticated"],
  [status("httpConnectionFailed", 402), "unexpected status 402 Payment Required", "quota_exhausted"],
  [status("responseTooManyFailedAttempts", 429), "exceeded retry limit, last status: 429", "rate_limited"],
  [status("responseStreamDisconnected", null), "Reconnecting... 1/2", "network"],
  [status("responseStreamDisconnected", null), "We’re currently experiencing high demand", "overloaded"],
  ["internalServerError", "We’re currently experiencing high demand", "overloaded"],
  ["serverOverloaded", "Selected model is at capacity.", "overloaded"],
  ["usageLimitExceeded", "You’ve hit your usage limit.", "quota_exhausted"],
  ["modelNotFound", "The model does not exist", "model_unknown"],
  ["other", "stream disconnected before completion: Transport error", "network"],
  ["other", '{"error":{"message":"Too long.","code":"context_length_exceeded"}}', "context_too_long"],
  ["other", '{"error":{"message":"Bad request.","type":"invalid_request_error","code":null}}', "invalid_input"],
  ["other", "Missing environment variable: `SOME_KEY`.", "not_authenticated"],
  // By Codex's own error kinds.
  ["contextWindowExceeded", "", "context_too_long"],
  ["rateLimitExceeded", "", "rate_limited"],
  ["unauthorized", "", "not_authenticated"],
  ["badRequest", "", "invalid_input"],
  ["tooManyDenials", "", "permission_denied"],
  [status("httpConnectionFailed", 404), "", "model_unknown"],
  [status("httpConnectionFailed", 413), "", "context_too_long"],
  [status("httpConnectionFailed", 503), "", "overloaded"],
  [status("httpConnectionFailed", 400), "", "invalid_input"],
  [status("httpConnectionFailed", null), "", "network"],
  ["somethingNew", "It broke.", "agent_error"],
  [null, "", "agent_error"],
] as const)("classifies %j with %j as %s", ([codexErrorInfo, message, code]) => {
  expect(errorOf({ message, codexErrorInfo })).toMatchObject({ code, agent: "codex" });
});

test("shows the service's own words without the address", () => {
  expect(errorOf({ message: '{"error":{"message":"Bad request."}}', codexErrorInfo: "other" }).message).toBe(
    "Bad request.",
  );
  const at = "unexpected status 401 Unauthorized: No., url: http://127.0.0.1:1/v1/responses";
  expect(errorOf({ message: at }).message).toBe("unexpected status 401 Unauthorized: No.");
  expect(errorOf(undefined).message).not.toBe("");
});

test("maps a failed turn to refused, done or max_tokens", () => {
  const ending = (message: string, codexErrorInfo: unknown = "other") =>
    failures.ending(factsOf({ message, codexErrorInfo }, "2026-01-01T00:00:00.000Z"), Date.UTC(2025, 11, 31));
  expect(ending("Incomplete response returned, reason: max_output_tokens")).toEqual({ outcome: "max_tokens" });
  expect(ending("Incomplete response returned, reason: content_filter")).toMatchObject({ outcome: "refused" });
  expect(ending("", "cyberPolicy")).toMatchObject({ outcome: "refused", error: { code: "refused" } });
  expect(ending("", "sessionBudgetExceeded")).toMatchObject({ outcome: "budget" });
  expect(ending("", "usageLimitExceeded")).toMatchObject({ error: { resetsAt: "2026-01-01T00:00:00.000Z" } });
  expect(ending("", "internalServerError").error).not.toHaveProperty("resetsAt");
});

const noise =
  "WARNING: proceeding, even though we could not create PATH aliases: Refusing to create helper binaries\nReading additional input from stdin...\n";

test.for([
  ["Not inside a trusted directory and --skip-git-repo-check was not specified.", "invalid_input"],
  ["Error: thread/resume failed: no rollout found for thread id x (code -32600)", "session_not_found"],
  ['Error loading config.toml: wire_api = "chat" is no longer supported.', "invalid_input"],
  ['Error finding codex home: CODEX_HOME points to "/x", but that path does not exist', "invalid_input"],
  ["error: unrecognized subcommand 'app-server'", "version_unsupported"],
  ["Error: stdin is not a terminal", "version_unsupported"],
  ["", "agent_crashed"],
] as const)("classifies an exit with %j as %s", ([said, code]) => {
  const error = failures.exit({ code: 1, signal: null }, noise + said, false);
  expect(error.code).toBe(code);
  expect(error.message).not.toMatch(/PATH aliases|additional input/);
  expect(isServerless(said)).toBe(code === "version_unsupported");
});
