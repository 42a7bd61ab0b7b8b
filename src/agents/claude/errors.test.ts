import { describe, expect, test } from "vitest";
import { replay } from "../../../test/fixtures/claude/replay.ts";
import { exitError } from "./errors-exit.ts";
import { resetsInText } from "./errors-resets.ts";
import { endingOf, errorOf } from "./errors.ts";

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
  ])("%s is %s", (name, code, help) => {
    expect(lastError(name)).toMatchObject({ code, agent: "claude", ...(help && { help }) });
    expect(lastError(name)?.help).toBe(help);
  });

  test("only a plan's limit says when it is over", () => {
    expect(lastError("oauth_rl429")).toMatchObject({ retryable: false, resetsAt: "2026-11-15T20:01:18.000Z" });
    expect(lastError("err429")).toMatchObject({ retryable: true });
    expect(lastError("err429")).not.toHaveProperty("resetsAt");
  });

  test("a limit that is over is no reason for a later failure", () => {
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

describe("codes from little", () => {
  test.each([
    [{ kind: "oauth_org_not_allowed" }, "not_authenticated"],
    [{ kind: "rate_limit" }, "rate_limited"],
    [{ kind: "rate_limit", resetsAt: "2026-11-15T20:01:18.000Z" }, "quota_exhausted"],
    [{ kind: "overloaded" }, "overloaded"],
    [{ kind: "server_error" }, "overloaded"],
    [{ kind: "server_error", said: "Request timed out." }, "network"],
    [{ kind: "unknown", said: "fetch failed" }, "network"],
    [{ kind: "unknown" }, "network"],
    [{ status: 413 }, "context_too_long"],
    [{ status: 503 }, "overloaded"],
    [{ kind: "invalid_request" }, "invalid_input"],
    [{ said: "Something broke." }, "agent_crashed"],
    [{}, "agent_crashed"],
  ] as const)("%j is %s", (failure, code) => {
    const error = errorOf({ said: "", ...failure });
    expect(error.code).toBe(code);
    expect(error.message).not.toBe("");
  });

  test("a message is one paragraph without the agent's prefix", () => {
    expect(errorOf({ said: "API Error: 500 Oh no.\n\nRequest ID: r" }).message).toBe("500 Oh no.");
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
  ])("%j is %s", (result, outcome) => {
    const ending = endingOf(result, undefined, undefined);
    expect(ending.outcome).toBe(outcome);
    expect(ending.error !== undefined).toBe(["refused", "budget", "failed"].includes(outcome));
    if (ending.error?.code === "agent_crashed" && "errors" in result) expect(ending.error.message).toBe("It broke.");
  });
});

describe("the end of a process", () => {
  const failed = (stderr: string, code: number | null = 1, onlyGarbage = false) =>
    exitError({ code, signal: null }, stderr, onlyGarbage);

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
  ])("%s is %s", (name, code, begins) => {
    const error = lastError(name);
    expect(error?.code).toBe(code);
    expect(error?.message.startsWith(begins)).toBe(true);
  });

  test("the shell could not find it, or not run it", () => {
    expect(failed("claude: not found", 127)).toMatchObject({
      code: "not_installed",
      message: "Claude Code could not be started (exit code 127): claude: not found",
    });
  });

  test("it printed something else", () => {
    expect(failed("", 0, true)).toMatchObject({
      code: "protocol_error",
      help: "Check that the command is really Claude Code.",
    });
  });

  test("it crashed with its last words", () => {
    expect(failed("Bun v1\npanic: out of memory\n", 1)).toMatchObject({
      code: "agent_crashed",
      message: "Claude Code ended with exit code 1: panic: out of memory",
    });
    expect(exitError({ code: null, signal: "SIGSEGV" }, "", false).message).toBe("Claude Code was ended by SIGSEGV.");
    expect(failed("Invalid API key · Please run /login")).toMatchObject({ code: "not_authenticated" });
  });
});

describe("a reset in words", () => {
  const now = Date.UTC(2026, 10, 15, 19, 0);

  test.each([
    ["You've hit your 5-hour limit · resets 8:01pm (UTC)", "2026-11-15T20:01:00.000Z"],
    ["resets 8am (UTC)", "2026-11-16T08:00:00.000Z"],
    ["resets 12am (UTC)", "2026-11-16T00:00:00.000Z"],
    ["resets 9pm (Europe/Berlin)", "2026-11-15T20:00:00.000Z"],
    ["resets 3pm (America/New_York)", "2026-11-15T20:00:00.000Z"],
    ["resets Nov 20, 8pm (UTC)", "2026-11-20T20:00:00.000Z"],
    ["resets Jan 2 at 8:30am (UTC)", "2027-01-02T08:30:00.000Z"],
    ["Claude AI usage limit reached|1794772878", "2026-11-15T20:01:18.000Z"],
    ["resets 8pm (Nowhere/Land)", undefined],
    ["resets Foo 20, 8pm (UTC)", undefined],
    ["try again later", undefined],
  ])("%s", (said, expected) => {
    expect(resetsInText(said, now)).toBe(expected);
  });
});
