import { describe, expect, test } from "vitest";
import { replay } from "../../../test/fixtures/claude/replay.ts";
import { endingOf, failures, retryFacts } from "./failures.ts";

const lastError = (name: string) => replay(name).said.findLast((event) => event.type === "turn.ended")?.error;

describe("recorded failures", () => {
  test.each([
    ["nokey", "not_authenticated", "Run `claude auth login`, or set ANTHROPIC_API_KEY."],
    ["err401_r0", "not_authenticated", "Run `claude auth login`, or set ANTHROPIC_API_KEY."],
    ["err403", "not_authenticated", "Run `claude auth login`, or set ANTHROPIC_API_KEY."],
    ["model_404", "model_unknown", "Choose another model."],
    ["err429", "rate_limited", "Wait a moment and try again."],
    ["apikey_rl429", "rate_limited", "Wait a moment and try again."],
    ["oauth_rl429", "quota_exhausted", "Wait for the reset, or use another agent."],
    ["credit", "quota_exhausted", "Add credit to the account."],
    ["err500", "overloaded", "Try again in a moment."],
    ["err529", "overloaded", "Try again in a moment."],
    ["prompttoolong", "context_too_long", "Start a new session, or send /compact first."],
    ["noserver", "network", "Check the connection and try again."],
    ["midcut", "network", "Check the connection and try again."],
    ["refusal", "refused", "Rephrase the request in a new session, or choose another model."],
    ["budget", "budget_exceeded", "Allow a larger budget."],
    ["resume_unknown", "session_not_found", "Start a new session."],
    ["err400", "invalid_input", undefined],
  ])("classifies %s as %s", (name, code, help) => {
    expect(lastError(name)).toMatchObject({ code, agent: "claude", ...(help && { help }) });
    expect(lastError(name)?.help).toBe(help);
  });

  test("reports when a plan's limit or a requested wait ends", () => {
    expect(lastError("oauth_rl429")).toMatchObject({ retryable: false, resetsAt: "2026-11-15T20:01:18.000Z" });
    expect(lastError("err429")).toMatchObject({ retryable: true });
    expect(lastError("err429")).toHaveProperty("resetsAt", "2026-11-15T19:00:01.000Z");
    expect(lastError("err500")).not.toHaveProperty("resetsAt");
  });

  test("does not blame a later failure on a limit that has ended", () => {
    const limits = (status: string) => ({
      type: "rate_limit_event",
      rate_limit_info: { status, resetsAt: 1794772878 },
    });
    const failed = { type: "result", is_error: true, api_error_status: 429, result: "no" };
    const { translator } = replay("plain");
    translator.translate(limits("rejected"));
    expect(translator.translate(failed).at(-1)).toMatchObject({
      error: { code: "quota_exhausted", resetsAt: "2026-11-15T20:01:18.000Z" },
    });
    translator.translate(limits("allowed"));
    expect(translator.translate(failed).at(-1)).toMatchObject({ error: { code: "rate_limited" } });
  });
});

describe("failures with few facts", () => {
  test.each([
    [{ kind: "oauth_org_not_allowed" }, "not_authenticated"],
    [{ kind: "rate_limit" }, "rate_limited"],
    [{ kind: "rate_limit", resetsAt: "2026-11-15T20:01:18.000Z" }, "quota_exhausted"],
    [{ kind: "rate_limit", resetsAt: "2026-11-15T19:03:00.000Z" }, "rate_limited"],
    [{ kind: "overloaded" }, "overloaded"],
    [{ kind: "server_error" }, "overloaded"],
    [{ kind: "server_error", text: "Request timed out." }, "network"],
    [{ kind: "unknown", text: "fetch failed" }, "network"],
    [retryFacts({ error: "unknown" }), "network"],
    [{ status: 413 }, "context_too_long"],
    [{ status: 503 }, "overloaded"],
    [{ kind: "invalid_request" }, "invalid_input"],
    [{ text: "Something broke." }, "agent_error"],
    [{}, "agent_error"],
    [{ status: 402, text: "402 status code (no body)" }, "quota_exhausted"],
    [{ kind: "rate_limit", status: 429, text: "You have used up your monthly quota." }, "quota_exhausted"],
    [{ text: "API returned an empty or malformed response (HTTP 200) — check for a proxy." }, "network"],
    [{ kind: "unknown", text: "Unable to connect to API (EPROTO)" }, "network"],
  ] as const)("classifies %j as %s", (failure, code) => {
    const error = failures.error({ text: "", ...failure }, Date.UTC(2026, 10, 15, 19));
    expect(error.code).toBe(code);
    expect(error.message).not.toBe("");
  });

  test("reports a message as one paragraph without the agent's prefix", () => {
    expect(failures.error({ text: "API Error: 500 Oh no.\n\nRequest ID: r" }).message).toBe("500 Oh no.");
  });
});

describe("endings", () => {
  test.each([
    [{ subtype: "success", is_error: false }, "done"],
    [{}, "done"],
    [{ subtype: "success", is_error: false, stop_reason: "max_tokens" }, "max_tokens"],
    [{ subtype: "success", is_error: true, api_error: "max_output_tokens" }, "max_tokens"],
    [{ subtype: "success", is_error: false, stop_reason: "refusal" }, "refused"],
    [{ subtype: "error_during_execution", is_error: true, terminal_reason: "aborted_tools" }, "cancelled"],
    [{ subtype: "error_max_turns", is_error: true }, "max_turns"],
    [{ subtype: "error_max_budget_usd", is_error: true }, "budget"],
    [{ subtype: "error_max_structured_output_retries" }, "failed"],
    [{ subtype: "error_during_execution", errors: ["[ede_diagnostic] x", "It broke."] }, "failed"],
  ])("classifies %j as %s", (result, outcome) => {
    const ending = endingOf(result);
    expect(ending.outcome).toBe(outcome);
    expect(ending.error !== undefined).toBe(["refused", "budget", "failed"].includes(outcome));
    if (ending.error?.code === "agent_error" && "errors" in result) expect(ending.error.message).toBe("It broke.");
  });
});

describe("process exit", () => {
  const failed = (stderr: string, code: number | null = 1, onlyGarbage = false) =>
    failures.exit({ code, signal: null }, stderr, onlyGarbage);

  test.each([
    ["mode_bad", "invalid_input", "option '--permission-mode <mode>' argument 'nope' is invalid."],
    ["unknown_flag", "invalid_input", "unknown option '--nope'"],
    ["sj_no_verbose", "invalid_input", "When using --print"],
    ["noprompt", "invalid_input", "Input must be provided"],
    ["settings_bad", "invalid_input", "Settings file not found"],
    ["mcp_bad_json", "invalid_input", "Invalid MCP configuration:"],
    ["mode_bypassPermissions", "invalid_input", "--dangerously-skip-permissions cannot be used with root"],
    ["session_id_reused", "session_busy", "Session ID"],
    ["resume_unknown", "session_not_found", "No conversation found"],
    ["bad_user", "protocol_error", "Expected message role 'user'"],
    ["init_nothing", "agent_crashed", "Claude Code ended without a result."],
    ["sigterm", "agent_crashed", "Claude Code was ended by SIGTERM."],
    ["sigkill_tool", "agent_crashed", "Claude Code was ended by SIGKILL."],
  ])("classifies %s as %s", (name, code, begins) => {
    const error = lastError(name);
    expect(error?.code).toBe(code);
    expect(error?.message.startsWith(begins)).toBe(true);
  });

  test("reports a command that the shell cannot find or run", () => {
    expect(failed("claude: not found", 127)).toMatchObject({
      code: "not_installed",
      message: "Claude Code could not be started (exit code 127): claude: not found",
    });
  });

  test("reports a program that printed something other than messages", () => {
    expect(failed("", 0, true)).toMatchObject({
      code: "protocol_error",
      help: "Check that the command is really Claude Code.",
    });
  });

  test("reports the last words of a program that crashed", () => {
    expect(failed("Bun v1\npanic: out of memory\n", 1)).toMatchObject({
      code: "agent_crashed",
      message: "Claude Code ended with exit code 1: panic: out of memory",
    });
    expect(failures.exit({ code: null, signal: "SIGSEGV" }, "").message).toBe("Claude Code was ended by SIGSEGV.");
    expect(failed("Invalid API key · Please run /login")).toMatchObject({ code: "not_authenticated" });
  });
});

test("reports the wait that the service asked for, not the program's own retry delay", () => {
  const { translator } = replay("plain");
  const retry = (ms: number) =>
    translator.translate({
      type: "system",
      subtype: "api_retry",
      attempt: 1,
      retry_delay_ms: ms,
      error_status: 429,
      error: "rate_limit",
    });
  const end = () =>
    translator.translate({ type: "result", is_error: true, api_error_status: 429, result: "no" }).at(-1);
  retry(2_000);
  expect(end()).toMatchObject({ error: { code: "rate_limited", resetsAt: "2026-11-15T19:00:02.000Z" } });
  retry(1_214);
  expect(end()).not.toMatchObject({ error: { resetsAt: expect.anything() as string } });
});
