import { expect, test } from "vitest";
import { modes } from "../../events/modes.ts";
import type { OpenOptions } from "../contract.ts";
import { argumentsOf, environmentOf, mcpConfigOf, nativeModes } from "./launch.ts";

const id = "11111111-2222-4333-8444-555555555555";
const basic: OpenOptions = { sessionId: "s", cwd: "/w", mode: "ask" };
const files = { settings: "/private/settings.json" };

const valueOf = (args: readonly string[], flag: string): string | undefined =>
  args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined;

test("gives a new conversation an id from Reins and uses NDJSON in both directions", () => {
  expect(argumentsOf(basic, { id }, files)).toEqual(
    [
      ["--input-format", "stream-json", "--output-format", "stream-json", "--include-partial-messages"],
      ["--approval-mode", "default", "--session-id", id],
    ].flat(),
  );
});

test("keeps the id when resuming, and lets the program choose one when forking", () => {
  const resumed = argumentsOf(basic, { resume: id, fork: false }, files);
  expect(valueOf(resumed, "--resume")).toBe(id);
  expect(resumed).not.toContain("--session-id");
  expect(resumed).not.toContain("--fork-session");
  expect(argumentsOf(basic, { resume: id, fork: true }, files)).toContain("--fork-session");
});

test.each(modes)("always sets mode %s, because without a flag a model would decide what may run", (mode) => {
  expect(valueOf(argumentsOf({ ...basic, mode }, { id }, files), "--approval-mode")).toBe(nativeModes[mode]);
});

test("converts options to arguments", () => {
  const args = argumentsOf(
    {
      ...basic,
      model: "qwen3-max",
      fallbackModel: "qwen3-coder-plus",
      maxTurns: 3,
      systemPrompt: { text: "--be kind", how: "append" },
      extraArgs: ["--debug"],
    },
    { id },
    { ...files, mcpConfig: "/private/mcp.json" },
  );
  expect(valueOf(args, "--model")).toBe("qwen3-max");
  expect(valueOf(args, "--fallback-model")).toBe("qwen3-coder-plus");
  expect(valueOf(args, "--max-session-turns")).toBe("3");
  expect(valueOf(args, "--mcp-config")).toBe("/private/mcp.json");
  expect(valueOf(args, "--append-system-prompt")).toBe("Also:\n--be kind");
  expect(args.at(-1)).toBe("--debug");
});

test("rejects a value that looks like a flag", () => {
  for (const model of ["", "-y", "x".repeat(200_000)])
    expect(() => argumentsOf({ ...basic, model }, { id }, files)).toThrow(
      expect.objectContaining({ code: "invalid_input" }),
    );
});

test.for([
  ["--bare"],
  ["--safe-mode"],
  ["--yolo"],
  ["-y"],
  ["-dy"],
  ["--approval-mode", "yolo"],
  ["--approval-mode=yolo"],
  ["--approvalMode=yolo"],
  ["--acp"],
])("refuses %j, which would bypass the decisions of Reins", (extraArgs) => {
  expect(() => argumentsOf({ ...basic, extraArgs }, { id }, files)).toThrow(
    expect.objectContaining({ code: "invalid_input", message: expect.stringContaining(extraArgs[0]!) }),
  );
});

test("passes its own variables and those of its services, and none of an outer session or of others", () => {
  const env = environmentOf({
    PATH: "/bin",
    OPENAI_API_KEY: "k",
    DASHSCOPE_API_KEY: "k",
    QWEN_HOME: "/q",
    QWEN_CODE_SESSION_ID: "outer",
    QWEN_CODE_LAUNCHER_PID: "1",
    QWEN_CODE_SIMPLE: "1",
    AWS_SECRET_ACCESS_KEY: "no",
    MY_TOKEN: "no",
  });
  expect(env).toMatchObject({ PATH: "/bin", OPENAI_API_KEY: "k", DASHSCOPE_API_KEY: "k", QWEN_HOME: "/q" });
  expect(env).toMatchObject({ QWEN_CODE_NO_RELAUNCH: "true", QWEN_CODE_SUPPRESS_YOLO_WARNING: "1" });
  for (const name of ["QWEN_CODE_SESSION_ID", "QWEN_CODE_LAUNCHER_PID", "QWEN_CODE_SIMPLE", "AWS_SECRET_ACCESS_KEY"])
    expect(env).not.toHaveProperty(name);
  expect(env).not.toHaveProperty("MY_TOKEN");
  expect(() => environmentOf({}, { QWEN_CODE_SIMPLE: "1" })).toThrow(
    expect.objectContaining({ code: "invalid_input" }),
  );
});

test("keeps hooks away from proxies, and names its files in variables", () => {
  const env = environmentOf({ NO_PROXY: "example.com" }, { MINE: "1" }, { ...files, systemPrompt: "/private/s.md" });
  expect(env).toMatchObject({
    MINE: "1",
    NO_PROXY: "example.com,127.0.0.1",
    no_proxy: "127.0.0.1",
    QWEN_SYSTEM_MD: "/private/s.md",
    QWEN_CODE_SYSTEM_DEFAULTS_PATH: files.settings,
  });
});

test("converts MCP servers to its own format", () => {
  const config = mcpConfigOf({
    local: { command: "node", args: ["s.js"], env: { A: "b" } },
    web: { type: "http", url: "http://h/mcp", headers: { X: "y" } },
    events: { type: "sse", url: "http://h/sse" },
  });
  expect(JSON.parse(config)).toEqual({
    mcpServers: {
      local: { command: "node", args: ["s.js"], env: { A: "b" } },
      web: { httpUrl: "http://h/mcp", headers: { X: "y" } },
      events: { url: "http://h/sse" },
    },
  });
});
