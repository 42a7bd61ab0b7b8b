import { expect, test } from "vitest";
import type { OpenOptions } from "../contract.ts";
import type { Conversation } from "./history.ts";
import { argumentsOf } from "./launch.ts";
import { environmentOf } from "./program.ts";

const options: OpenOptions = { sessionId: "s", cwd: "/work", mode: "ask" };
const start = ["--mode", "rpc", "--extension", "/private/hold.js"];
const launched = (more: Partial<OpenOptions> = {}, conversation: Conversation = {}, systemPrompt?: string) =>
  argumentsOf({ ...options, ...more }, conversation, { extension: "/private/hold.js", systemPrompt });

test.for<[string, string[], string[]]>([
  ["nothing more", launched(), []],
  ["a model", launched({ model: "anthropic/claude-opus-5-5:high" }), ["--model", "anthropic/claude-opus-5-5:high"]],
  ["a conversation", launched({}, { file: "/s/a.jsonl" }), ["--session", "/s/a.jsonl"]],
  ["a forked conversation", launched({}, { file: "/s/a.jsonl", copy: true }), ["--fork", "/s/a.jsonl"]],
  [
    "a prompt to append",
    launched({ systemPrompt: { text: "x", how: "append" } }, {}, "/p.md"),
    ["--append-system-prompt", "/p.md"],
  ],
  [
    "a prompt that replaces pi's own",
    launched({ systemPrompt: { text: "x", how: "replace" } }, {}, "/p.md"),
    ["--system-prompt", "/p.md"],
  ],
  [
    "tools that never run",
    launched({ tools: { disallowed: ["shell", "fly"] } }),
    ["--exclude-tools", "bash,powershell,fly"],
  ],
  [
    "only tools that are disallowed for every prompt",
    launched({ tools: { disallowed: ["grep", "ls"], first: { disallowed: ["ls", "write"] } } }),
    ["--exclude-tools", "ls"],
  ],
  ["arguments of the caller", launched({ extraArgs: ["--thinking", "high"] }), ["--thinking", "high"]],
])("passes %s", ([, args, expected]) => expect(args).toEqual([...start, ...expected]));

test.for<[string, Partial<OpenOptions>]>([
  ["a model that looks like an option", { model: "--approve" }],
  ["an empty model", { model: "" }],
  ["another mode of the program", { extraArgs: ["--mode", "text"] }],
  ["another mode of the program, in one word", { extraArgs: ["--mode=text"] }],
  ["a conversation that is not saved", { extraArgs: ["--no-session"] }],
  ["a key on the command line", { extraArgs: ["--api-key", "x"] }],
  ["a tool with a rule", { tools: { disallowed: ["shell(git *)"] } }],
  ["two tools in one", { tools: { disallowed: ["bash,edit"] } }],
])("rejects %s", ([, more]) => {
  expect(() => launched(more)).toThrow(expect.objectContaining({ code: "invalid_input", agent: "pi" }));
});

test("passes only declared variables, and none of an outer pi", () => {
  const env = environmentOf(
    { PATH: "/bin", ANTHROPIC_API_KEY: "k", PI_OFFLINE: "1", PI_SESSION_ID: "outer", OTHER_KEY: "x", AWS_PROFILE: "p" },
    { MINE: "1" },
  );
  expect(env).toEqual({
    PATH: "/bin",
    ANTHROPIC_API_KEY: "k",
    PI_OFFLINE: "1",
    AWS_PROFILE: "p",
    PI_SKIP_VERSION_CHECK: "1",
    MINE: "1",
  });
  expect(environmentOf({ PI_SKIP_VERSION_CHECK: "0" })["PI_SKIP_VERSION_CHECK"]).toBe("0");
});
