import { describe, expect, test } from "vitest";
import { z } from "zod";
import { agentEventSchema } from "../../../events/schema/index.ts";
import type { AgentEvent } from "../../../events/types.ts";
import type { Answer } from "../../contract.ts";
import { Calls } from "./calls.ts";
import { gates, hookEvents, type HookEvent } from "./events.ts";
import { HookRequests } from "./requests.ts";
import { HookRouter } from "./router.ts";
import { HookStreamMerge } from "./stream-merge.ts";

const cwd = "/work";

/** The outputs of hooks that Cursor documents. */
const subject = z.string().optional();
const forUser = z.strictObject({ permission: z.enum(["allow", "deny"]).optional(), user_message: subject });
const permission = forUser.extend({ agent_message: subject });
const nothing = z.strictObject({});

const hookOutputs = {
  sessionStart: z.strictObject({ env: z.record(z.string(), z.string()).optional(), additional_context: subject }),
  sessionEnd: nothing,
  preToolUse: permission.extend({ updated_input: z.record(z.string(), z.unknown()).optional() }),
  postToolUse: nothing,
  postToolUseFailure: nothing,
  subagentStart: forUser,
  subagentStop: nothing,
  beforeShellExecution: permission,
  afterShellExecution: nothing,
  beforeMCPExecution: permission,
  afterMCPExecution: nothing,
  beforeReadFile: forUser,
  afterFileEdit: nothing,
  beforeSubmitPrompt: z.strictObject({ continue: z.boolean().optional(), user_message: subject }),
  preCompact: nothing,
  stop: nothing,
  afterAgentResponse: nothing,
  afterAgentThought: nothing,
  beforeTabFileRead: forUser.pick({ permission: true }),
  afterTabFileEdit: nothing,
  workspaceOpen: nothing,
} satisfies Record<HookEvent, z.ZodType>;

/** A session whose policy answers everything with `word`. */
function openRouter(word: Answer = { decision: "allow" }) {
  const said: AgentEvent[] = [];
  const calls = new Calls(cwd, "h");
  const say = (events: readonly AgentEvent[]): void => {
    for (const event of events) {
      said.push(agentEventSchema.parse(event));
      if (event.type === "tool.held") queueMicrotask(() => gate.answer(event.requestId, word));
    }
  };
  const gate = new HookRequests({ say, stop: () => {}, deadlineMs: 60_000, prefix: "h" });
  const merging = new HookStreamMerge(calls, cwd, "h");
  const made = new HookRouter({ calls, requests: gate, merge: merging, say, beginning: {}, isPrompted: () => true });
  return {
    said,
    calls,
    held: () => said.filter(({ type }) => type === "tool.held"),
    async hook<Event extends HookEvent>(event: Event, input: object): Promise<object> {
      const answer = await made.answer(event, JSON.stringify(input), new AbortController().signal);
      // Every answer must match the documentation.
      return hookOutputs[event].parse(answer);
    },
    merge: (...events: AgentEvent[]) => merging.merge(events).map((event) => agentEventSchema.parse(event)),
  };
}

const started = (callId: string, command: string): AgentEvent => ({
  type: "tool.started",
  callId,
  tool: "shell",
  nativeName: "shell",
  kind: "execute",
  title: `Run ${command}`,
  input: { command },
});
const completed = (callId: string): AgentEvent => ({
  type: "tool.completed",
  callId,
  output: { text: "out", bytes: 3, kept: 3 },
});
const ended: AgentEvent = { type: "turn.ended", outcome: "done" };
const shell = (command: string, id: string): object => ({
  tool_name: "Shell",
  tool_input: { command },
  tool_use_id: id,
});

describe("one call with several hooks", () => {
  test("is asked about once each time it runs", async () => {
    const at = openRouter();
    for (const id of ["a", "b"]) {
      expect(await at.hook("preToolUse", shell("ls", id))).toEqual({ permission: "allow" });
      expect(await at.hook("preToolUse", shell("ls", id))).toEqual({ permission: "allow" });
      expect(await at.hook("beforeShellExecution", { command: "ls", cwd })).toEqual({ permission: "allow" });
    }
    expect(at.held()).toHaveLength(2);
    // A call that was not asked about, or another command, needs its own decision.
    await at.hook("beforeShellExecution", { command: "ls" });
    await at.hook("beforeShellExecution", { command: "rm -r ." });
    expect(at.held()).toHaveLength(4);
  });

  test("counts as another call in another folder when both hooks name it", async () => {
    const at = openRouter();
    const inFolder = (id: string, told: object, field: object): object => ({
      tool_name: "Shell",
      tool_input: { command: "rm -r build", ...told },
      tool_use_id: id,
      ...field,
    });
    const before = (folder: string): Promise<object> =>
      at.hook("beforeShellExecution", { command: "rm -r build", cwd: folder });
    await at.hook("preToolUse", inFolder("a", { working_directory: "sub" }, { cwd }));
    await before("/work/sub/");
    expect(at.held()).toHaveLength(1);
    for (const [id, told, field] of [
      ["b", { working_directory: "/work/sub" }, {}],
      ["c", {}, { cwd: "/work" }],
    ] as const) {
      const asked = at.held().length;
      await at.hook("preToolUse", inFolder(id, told, field));
      await before("/");
      expect(at.held()).toHaveLength(asked + 2);
    }
  });

  test("is asked about again when the same id has another input", async () => {
    const at = openRouter();
    await at.hook("preToolUse", shell("ls", "a"));
    await at.hook("preToolUse", shell("rm -r .", "a"));
    expect(at.held()).toMatchObject([{ title: "Run ls" }, { title: "Run rm -r ." }]);
  });

  test("is the same for an MCP tool, a file and a subagent", async () => {
    const at = openRouter({ decision: "deny", message: "No." });
    const input = { a: [1, { b: 2 }] };
    await at.hook("preToolUse", { tool_name: "MCP:find", tool_input: input, tool_use_id: "m" });
    expect(await at.hook("beforeMCPExecution", { tool_name: "find", tool_input: JSON.stringify(input) })).toEqual({
      permission: "deny",
      user_message: "No.",
      agent_message: "No.",
    });
    await at.hook("preToolUse", { tool_name: "Read", tool_input: { file_path: "/work/a" }, tool_use_id: "r" });
    expect(await at.hook("beforeReadFile", { file_path: "/work/a", content: "x" })).toEqual({
      permission: "deny",
      user_message: "No.",
    });
    await at.hook("preToolUse", { tool_name: "Task", tool_input: { description: "look" }, tool_use_id: "t" });
    expect(await at.hook("subagentStart", { tool_call_id: "t", task: "look around" })).toMatchObject({
      permission: "deny",
    });
    expect(at.held()).toMatchObject([{ tool: "mcp" }, { tool: "read" }, { tool: "task" }]);
    await at.hook("beforeMCPExecution", { tool_name: "find", tool_input: "{}" });
    expect(at.held()).toHaveLength(4);
  });

  test("is shown to the policy as the hook reports it, not the stream", async () => {
    const at = openRouter();
    at.merge(started("a", "ls"));
    await at.hook("preToolUse", shell("ls; rm x", "a"));
    expect(at.held()).toMatchObject([{ callId: "a", input: { command: "ls; rm x" } }]);
  });
});

describe("the stream and the hooks", () => {
  test.each([
    ["the same id", "x", "x"],
    ["an id that consists of two", "x\nfc_1", "x"],
    ["two ids", "x", "y"],
  ])("report one call with %s, in either order", async (_what, streamId, hookId) => {
    for (const streamFirst of [true, false]) {
      const at = openRouter();
      const told = (): AgentEvent[] => at.merge(started(streamId, "ls"));
      const [first] = streamFirst ? told() : [];
      await at.hook("preToolUse", shell("ls", hookId));
      const [begun] = first === undefined ? told() : [first];
      await at.hook("postToolUse", { ...shell("ls", hookId), tool_output: '{"stdout":"x"}' });
      const [held] = at.held();
      const after = at.merge(completed(streamId), ended);
      const ids = [begun, held, after[0]].map((event) => (event as { callId: string }).callId);
      expect(new Set(ids).size).toBe(1);
      expect(after.map(({ type }) => type)).toEqual(["tool.completed", "turn.ended"]);
      expect(at.calls.get(streamId)).toBeUndefined();
    }
  });

  test("pair two equal calls in their order", async () => {
    const at = openRouter();
    at.merge(started("s1", "ls"), started("s2", "ls"));
    await at.hook("preToolUse", shell("ls", "h1"));
    await at.hook("preToolUse", shell("ls", "h2"));
    expect(at.held()).toMatchObject([{ callId: "s1" }, { callId: "s2" }]);
  });

  test("report two calls when the subjects differ", async () => {
    const at = openRouter();
    at.merge(started("s1", "ls"));
    await at.hook("preToolUse", shell("date", "h1"));
    expect(at.held()).toMatchObject([{ callId: "h1" }]);
  });

  test("report everything once, and add what only hooks reported before the end of the turn", async () => {
    const at = openRouter();
    at.merge({ type: "message.delta", messageId: "m", text: "Hi" });
    await at.hook("preToolUse", shell("ls", "a"));
    await at.hook("afterShellExecution", { command: "ls", output: "x\n", duration: 5 });
    await at.hook("postToolUseFailure", {
      tool_name: "Write",
      tool_input: { path: "/work/b" },
      tool_use_id: "b",
      error_message: "full",
      failure_type: "timeout",
    });
    await at.hook("afterAgentThought", { text: "Hm." });
    await at.hook("afterAgentResponse", { text: "Hi" });
    await at.hook("afterFileEdit", { file_path: "/work/c", edits: [{ old_string: "a", new_string: "b\nc\n" }] });
    await at.hook("afterFileEdit", { file_path: "/work/d", edits: [] });
    const rest = at.merge({ type: "file.changed", path: "d", op: "modify" }, ended);
    expect(rest).toMatchObject([
      { type: "file.changed", path: "d" },
      { type: "thought.completed", text: "Hm." },
      { type: "file.changed", path: "c", op: "modify", added: 2, removed: 1 },
      { type: "tool.completed", callId: "a", output: { text: "x\n", bytes: 2 }, durationMs: 5 },
      { type: "tool.started", callId: "b", tool: "write" },
      { type: "tool.failed", callId: "b", reason: "timeout", error: { message: "full" } },
      { type: "turn.ended" },
    ]);
    // A late hook belongs to no turn; a hook of the next prompt belongs to the next turn.
    await at.hook("afterAgentThought", { text: "Late." });
    expect(at.merge(ended)).toEqual([ended]);
    await at.hook("afterAgentThought", { text: "Next.", generation_id: "g2" });
    expect(at.merge(ended)).toMatchObject([{ type: "thought.completed", text: "Next." }, ended]);
    await at.hook("afterAgentThought", { text: "Late.", generation_id: "g2" });
    expect(at.merge(ended)).toEqual([ended]);
  });

  test("report a subagent's result and a file's content when nothing else does", async () => {
    const at = openRouter();
    await at.hook("subagentStart", { tool_call_id: "t", task: "look" });
    await at.hook("subagentStop", { tool_call_id: "t", status: "aborted", summary: "half" });
    await at.hook("beforeReadFile", { file_path: "/work/rules", content: "text" });
    expect(at.merge(ended)).toMatchObject([
      { type: "tool.failed", callId: "t", reason: "cancelled" },
      { type: "tool.completed", output: { text: "text" } },
      ended,
    ]);
  });
});

test("match the end of a subagent without an id", async () => {
  const at = openRouter();
  for (const id of ["a", "b"])
    await at.hook("preToolUse", {
      tool_name: "Task",
      tool_use_id: id,
      tool_input: { description: `Part ${id}`, prompt: `Do ${id}.` },
    });
  await at.hook("subagentStop", { status: "completed", task: "Do b.", description: "Part b", summary: "done b" });
  await at.hook("subagentStop", { status: "completed", task: "Something else", summary: "done a" });
  const told = at.merge(ended).filter(({ type }) => type !== "turn.ended");
  expect(told).toMatchObject([
    { type: "tool.completed", callId: "a", output: { text: "done a" } },
    { type: "tool.completed", callId: "b", output: { text: "done b" } },
  ]);
});

test("answers every event as documented, with an empty and with an invalid payload", async () => {
  const aboutNothing = /^session|^subagentStop$|^beforeSubmitPrompt$|^preCompact$|^stop$|Tab|^workspaceOpen$/;
  const aboutSomething = new Set(hookEvents.filter((event) => !aboutNothing.test(event)));
  for (const event of hookEvents) {
    const at = openRouter({ decision: "defer" });
    await at.hook(event, {});
    await at.hook(event, { tool_input: [7], tool_output: 7, tool_name: "", more: { x: 1 }, workspace_roots: [] });
    const wrong = Object.fromEntries(
      [
        "tool_name",
        "command",
        "text",
        "prompt",
        "status",
        "trigger",
        "file_path",
        "task",
        "reason",
        "composer_mode",
        "error_message",
        "cursor_version",
      ].map((name) => [name, { odd: true }]),
    );
    const answer = await at.hook(event, wrong);
    const isUnclear = at.said.some((one) => one.type === "notice" && one.code === "unparsed");
    expect([event, isUnclear]).toEqual([event, aboutSomething.has(event)]);
    if (isUnclear && gates(event)) expect(answer).toMatchObject({ permission: "deny" });
  }
});
