import { expect, test } from "vitest";
import { modes } from "../../events/modes.ts";
import type { OpenOptions } from "../contract.ts";
import { argumentsOf, environmentOf, mcpConfigOf, nativeModes } from "./launch.ts";

const id = "11111111-2222-4333-8444-555555555555";
const earlier = "99999999-2222-4333-8444-555555555555";
const basic: OpenOptions = { sessionId: "s", cwd: "/w", mode: "ask" };

function valuesOf(args: readonly string[], flag: string): string[] {
  const at = args.indexOf(flag);
  if (at < 0) return [];
  const rest = args.slice(at + 1);
  const end = rest.findIndex((word) => word.startsWith("-"));
  return end < 0 ? rest : rest.slice(0, end);
}

test("gives a new conversation an id from Reins and uses NDJSON in both directions", () => {
  expect(argumentsOf(basic, { id }, {})).toEqual(
    [
      ["-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"],
      ["--include-partial-messages", "--forward-subagent-text", "--permission-prompt-tool", "stdio"],
      ["--permission-mode", "default", "--session-id", id],
      ["--settings", '{"env":{"CLAUDE_CODE_SIMPLE":""},"useAutoModeDuringPlan":false}'],
    ].flat(),
  );
});

test("passes settings in a file", () => {
  const args = argumentsOf(basic, { id }, { settings: "/tmp/settings.json" });
  expect(args.slice(args.indexOf("--settings"))).toEqual(["--settings", "/tmp/settings.json"]);
});

test("keeps the id when resuming and takes a new one when forking", () => {
  const resumed = argumentsOf(basic, { id: earlier, resume: earlier }, {});
  expect(valuesOf(resumed, "--resume")).toEqual([earlier]);
  expect(resumed).not.toContain("--session-id");
  expect(resumed).not.toContain("--fork-session");
  const forked = argumentsOf({ ...basic, fork: true }, { id, resume: earlier }, {});
  expect(valuesOf(forked, "--resume")).toEqual([earlier]);
  expect(valuesOf(forked, "--session-id")).toEqual([id]);
  expect(forked).toContain("--fork-session");
  // Without a state there is nothing to fork.
  expect(argumentsOf({ ...basic, fork: true }, { id }, {})).not.toContain("--fork-session");
});

test("keeps flags with several values from swallowing arguments, and puts extra arguments last", () => {
  const args = argumentsOf(
    {
      ...basic,
      tools: { allowed: ["Bash(git *)", "read"], disallowed: ["web_search"] },
      directories: ["/a", "/b c"],
      model: "opus",
      fallbackModel: "sonnet",
      maxTurns: 3,
      maxBudgetUsd: 0.5,
      extraArgs: ["--effort", "low"],
    },
    { id },
    { mcpConfig: "/tmp/mcp.json" },
  );
  expect(valuesOf(args, "--allowedTools")).toEqual(expect.arrayContaining(["Bash(git *)", "Read"]));
  expect(valuesOf(args, "--disallowedTools")).toEqual(["WebSearch"]);
  expect(valuesOf(args, "--add-dir")).toEqual(["/a", "/b c"]);
  expect(valuesOf(args, "--mcp-config")).toEqual(["/tmp/mcp.json"]);
  expect(valuesOf(args, "--model")).toEqual(["opus"]);
  expect(valuesOf(args, "--fallback-model")).toEqual(["sonnet"]);
  expect(valuesOf(args, "--max-turns")).toEqual(["3"]);
  expect(valuesOf(args, "--max-budget-usd")).toEqual(["0.5"]);
  expect(args.slice(-2)).toEqual(["--effort", "low"]);
});

test("passes a system prompt in a file, also when resuming", () => {
  const append = { ...basic, systemPrompt: { text: "secret", how: "append" as const } };
  const fresh = argumentsOf(append, { id }, { systemPrompt: "/f" });
  expect(valuesOf(fresh, "--append-system-prompt-file")).toEqual(["/f"]);
  expect(fresh.join(" ")).not.toContain("secret");
  expect(fresh).not.toContain("--system-prompt-snapshot");
  const resumed = argumentsOf(append, { id: earlier, resume: earlier }, { systemPrompt: "/f" });
  expect(valuesOf(resumed, "--system-prompt-snapshot")).toEqual(["off"]);
  const replace = { ...basic, systemPrompt: { text: "x", how: "replace" as const } };
  expect(valuesOf(argumentsOf(replace, { id }, { systemPrompt: "/f" }), "--system-prompt-file")).toEqual(["/f"]);
});

test("maps every mode to a native one, without a flag that root may not use", () => {
  for (const mode of modes) {
    const args = argumentsOf({ ...basic, mode }, { id }, {});
    expect(valuesOf(args, "--permission-mode")).toEqual([nativeModes[mode]]);
    expect(args.join(" ")).not.toMatch(/bypass|dangerously/);
  }
  expect(nativeModes).toMatchObject({ plan: "plan", edits: "acceptEdits", full: "default", read: "default" });
});

test.for([{ model: "--help" }, { fallbackModel: "" }, { tools: { allowed: ["-p"] } }])(
  "rejects a value that looks like a flag: %o",
  (options) => {
    expect(() => argumentsOf({ ...basic, ...options }, { id }, {})).toThrow(
      expect.objectContaining({ code: "invalid_input" }),
    );
  },
);

test("puts only rules for every prompt on the command line when the first prompt has its own tools", () => {
  const tools = {
    allowed: ["Read", "Edit"],
    disallowed: ["Bash"],
    first: { allowed: ["Read"], disallowed: ["Bash", "Write"] },
  };
  const args = argumentsOf({ ...basic, tools }, { id }, {});
  expect(valuesOf(args, "--allowedTools")).toEqual(["Read"]);
  expect(valuesOf(args, "--disallowedTools")).toEqual(["Bash"]);
});

test("passes the variables that Claude Code reads and no other keys", () => {
  const read = {
    PATH: "/bin",
    ANTHROPIC_API_KEY: "k",
    ANTHROPIC_BASE_URL: "u",
    CLAUDE_CONFIG_DIR: "/c",
    CLAUDE_CODE_USE_BEDROCK: "1",
    AWS_REGION: "eu",
    GOOGLE_APPLICATION_CREDENTIALS: "/g",
    DISABLE_TELEMETRY: "1",
    MCP_TIMEOUT: "1",
    IS_SANDBOX: "1",
  };
  const others = { OPENAI_API_KEY: "other", GITHUB_TOKEN: "other", REINS_CLAUDE_COMMAND: "x" };
  expect(environmentOf({ ...read, ...others })).toEqual({ ...read, CLAUDE_CODE_MAX_RETRIES: "2" });
});

test("limits retries unless the user sets them, and removes the variables of an outer session", () => {
  const env = environmentOf(
    {
      CLAUDE_CODE_MAX_RETRIES: "7",
      CLAUDE_CODE_SESSION_ID: "outer",
      CLAUDECODE: "1",
      CLAUDE_CODE_MESSAGING_TOKEN: "t",
    },
    { EXTRA: "1", ANTHROPIC_MODEL: "m" },
  );
  expect(env).toEqual({ CLAUDE_CODE_MAX_RETRIES: "7", EXTRA: "1", ANTHROPIC_MODEL: "m" });
});

test("refuses or drops options that would turn off the hook that holds every tool", () => {
  const refusal = expect.objectContaining({ code: "invalid_input" });
  for (const argument of ["--bare", "--dangerously-skip-permissions", "--permission-mode=bypassPermissions"]) {
    expect(() => argumentsOf({ ...basic, extraArgs: ["--verbose", argument] }, { id }, {})).toThrow(refusal);
  }
  expect(() => environmentOf({}, { CLAUDE_CODE_SIMPLE: "1" })).toThrow(refusal);
  expect(environmentOf({ CLAUDE_CODE_SIMPLE: "1" })).toEqual({ CLAUDE_CODE_MAX_RETRIES: "2" });
});

test("writes MCP servers unchanged into a file", () => {
  const servers = {
    files: { command: "mcp-files", args: ["/w"], env: { KEY: "s" } },
    web: { type: "http" as const, url: "http://h", headers: { Authorization: "s" } },
  };
  expect(JSON.parse(mcpConfigOf(servers))).toEqual({ mcpServers: servers });
});
