import { expect, test } from "vitest";
import { translatorOf } from "../../../test/fixtures/codex/replay.ts";
import type { AgentEvent } from "../../events/types.ts";

const used = (turnId: string, outputTokens: number) => ({
  turnId,
  tokenUsage: { total: { outputTokens }, last: { outputTokens: 20 } },
});

test("leaves usage of an earlier process, reported after the first prompt, out of the turn", () => {
  const translator = translatorOf({ fresh: false });
  const tell = (method: string, params: object) => translator.notification(method, { threadId: "main", ...params });
  translator.opened("main");
  translator.prompted();
  tell("thread/tokenUsage/updated", used("t1", 40));
  tell("turn/started", { turn: { id: "t2" } });
  tell("thread/tokenUsage/updated", used("t1", 40));
  tell("thread/tokenUsage/updated", used("t2", 60));
  expect(tell("turn/completed", { turn: { status: "completed", error: null } })).toMatchObject([
    { type: "usage.updated", scope: "turn", tokens: { output: 20 } },
    { type: "turn.ended", usage: { output: 20 } },
  ]);
});

/** A conversation in a running turn, and functions that send it messages. */
function conversation() {
  const translator = translatorOf();
  translator.opened("main");
  translator.prompted();
  const events: AgentEvent[] = [];
  const tell = (method: string, params: object = {}, threadId = "main") => {
    const said = translator.notification(method, { threadId, ...params });
    events.push(...said);
    return said;
  };
  tell("turn/started", { turn: { id: "t1" } });
  const item = (when: "started" | "completed", type: string, more: object, threadId?: string) =>
    tell(`item/${when}`, { item: { type, ...more } }, threadId);
  const ends = (status = "completed", threadId?: string) =>
    tell("turn/completed", { turn: { status, error: null } }, threadId);
  return { translator, events, tell, item, ends };
}

const delta = (itemId: string, text: string) => ({ itemId, delta: text });

test("joins parts of thinking into one thought and prefers the summary to the thinking itself", () => {
  const { tell, item } = conversation();
  const summary = (text: string, summaryIndex: number) =>
    tell("item/reasoning/summaryTextDelta", { ...delta("r", text), summaryIndex });
  expect(summary("One", 0)).toMatchObject([{ type: "thought.delta", text: "One" }]);
  expect(tell("item/reasoning/textDelta", { ...delta("r", "raw"), contentIndex: 0 })).toEqual([]);
  expect(summary("Two", 1)).toMatchObject([{ text: "\n\nTwo" }]);
  expect(item("completed", "reasoning", { id: "r", summary: ["One", "Two"], content: [] })).toMatchObject([
    { type: "thought.completed", text: "One\n\nTwo" },
  ]);
});

test("discards the text so far at a retry", () => {
  const { tell } = conversation();
  tell("item/agentMessage/delta", delta("m", "Half an"));
  const error = { message: "Reconnecting... 1/2", additionalDetails: "at capacity", codexErrorInfo: null };
  expect(tell("error", { error, willRetry: true })).toMatchObject([
    { type: "message.discarded", reason: "retry" },
    { type: "turn.phase", phase: "retry" },
    { type: "agent.retrying", attempt: 1, ofMax: 2, error: { code: "overloaded" } },
  ]);
  expect(tell("error", { error, willRetry: false })).toEqual([]);
});

test("discards the current text when a prompt is steered in", () => {
  const { tell, item } = conversation();
  tell("item/agentMessage/delta", delta("m", "The first half"));
  expect(item("started", "userMessage", { id: "u" })).toMatchObject([{ type: "message.discarded", reason: "steered" }]);
});

test("keeps the text of an interrupted turn", () => {
  const { tell, ends } = conversation();
  tell("item/agentMessage/delta", delta("m", "Half an"));
  expect(ends("interrupted")).toMatchObject([
    { type: "message.completed", text: "Half an" },
    { type: "turn.ended", outcome: "cancelled" },
  ]);
});

const call = (name: string, input: object) => ({
  type: "function_call",
  call_id: "c",
  name,
  arguments: JSON.stringify(input),
});
const output = (told: string) => ({ type: "function_call_output", call_id: "c", output: told });

test("reports a call without an item when the model makes it", () => {
  const { tell } = conversation();
  expect(tell("rawResponseItem/completed", { item: call("exec_command", { cmd: "touch x" }) })).toEqual([]);
  const told = output("Process exited with code 1\nOutput:\nRead-only file system\n");
  expect(tell("rawResponseItem/completed", { item: told })).toMatchObject([
    { type: "tool.started", callId: "c", tool: "shell", title: "Run touch x" },
    { type: "tool.failed", callId: "c", error: { message: "Read-only file system", exitCode: 1 } },
  ]);
  expect(tell("rawResponseItem/completed", { item: told })).toEqual([]);
});

test("reports a call with an item only by the item, even a late one", () => {
  const { tell, item } = conversation();
  tell("rawResponseItem/completed", { item: call("exec_command", { cmd: "ls" }) });
  const command = { id: "c", command: "ls", cwd: "/w", commandActions: [] };
  expect(item("started", "commandExecution", command)).toMatchObject([{ type: "tool.started" }]);
  expect(tell("rawResponseItem/completed", { item: output("Output:\nx\n") })).toEqual([]);
  expect(
    item("completed", "commandExecution", { ...command, status: "completed", exitCode: 0, aggregatedOutput: "x\n" }),
  ).toMatchObject([{ type: "tool.completed", output: { text: "x\n" }, exitCode: 0 }]);
  expect(item("completed", "commandExecution", { ...command, status: "completed" })).toEqual([]);
});

test("reports a command that outlives its turn as a task", () => {
  const { item, ends } = conversation();
  const command = { id: "c", command: "sleep 9", cwd: "/w" };
  item("started", "commandExecution", command);
  expect(ends()).toMatchObject([
    { type: "task.started", taskId: "c", kind: "shell" },
    { type: "tool.completed", callId: "c" },
    { type: "turn.ended", background: ["c"] },
  ]);
  expect(
    item("completed", "commandExecution", { ...command, status: "failed", exitCode: 1, aggregatedOutput: "no\n" }),
  ).toMatchObject([{ type: "task.updated", taskId: "c", status: "failed", summary: "no" }]);
});

const spawned = { id: "s", tool: "spawnAgent", status: "completed", prompt: "Do it.", receiverThreadIds: ["sub"] };

test("assigns a subagent's messages to its call, and ignores unknown threads", () => {
  const { tell, item, ends, translator } = conversation();
  expect(tell("item/agentMessage/delta", delta("x", "Hello"), "sub")).toEqual([]);
  expect(item("completed", "collabAgentToolCall", spawned)).toMatchObject([
    { type: "tool.started", tool: "task", title: "Task: Do it." },
    { type: "tool.completed" },
    { type: "task.started", taskId: "sub", callId: "s" },
  ]);
  expect(tell("turn/started", { turn: { id: "t2" } }, "sub")).toMatchObject([{ type: "turn.phase", parent: "s" }]);
  expect(translator.subagents.turns).toEqual([{ threadId: "sub", turnId: "t2" }]);
  expect(tell("item/agentMessage/delta", delta("x", "Hello"), "sub")).toMatchObject([{ text: "Hello", parent: "s" }]);
  item("completed", "agentMessage", { id: "x", text: "Hello" }, "sub");
  expect(ends("completed", "sub")).toMatchObject([{ type: "task.updated", status: "completed", summary: "Hello" }]);
  expect(ends()).toMatchObject([{ type: "turn.ended", background: [] }]);
});

test("reports work of subagents between turns as a turn of the agent, ended by the last of them", () => {
  const { tell, item, ends } = conversation();
  item("completed", "collabAgentToolCall", { ...spawned, receiverThreadIds: ["one", "two"] });
  expect(ends()).toMatchObject([{ type: "turn.ended", outcome: "done", background: ["one", "two"] }]);
  tell("item/agentMessage/delta", delta("x", "Hello"), "one");
  expect(ends("completed", "one").map(({ type }) => type)).toEqual(["message.completed", "task.updated"]);
  expect(ends("interrupted", "two")).toMatchObject([
    { type: "task.updated", status: "stopped" },
    { type: "turn.ended", origin: "agent", outcome: "cancelled" },
  ]);
});

test("reports a failed subagent without failing the conversation", () => {
  const { tell, item } = conversation();
  item("completed", "collabAgentToolCall", spawned);
  const error = { message: "no", codexErrorInfo: "usageLimitExceeded" };
  expect(tell("error", { error, willRetry: false }, "sub")).toMatchObject([
    { type: "notice", code: "quota_exhausted", parent: "s" },
  ]);
  expect(tell("turn/completed", { turn: { status: "failed", error } }, "sub")).toMatchObject([
    { type: "task.updated", status: "failed", summary: "no" },
  ]);
});

test("reports a turn without a prompt as the agent's own", () => {
  const { tell, ends } = conversation();
  ends();
  tell("turn/started", { turn: { id: "t2" } });
  expect(ends()).toMatchObject([{ type: "turn.ended", origin: "agent" }]);
  expect(ends()).toEqual([]);
});

test("translates notifications outside turns and items", () => {
  const { tell } = conversation();
  expect(
    tell("turn/plan/updated", {
      plan: [{ step: "one", status: "completed" }, { step: "two", status: "inProgress" }, {}],
    }),
  ).toEqual([
    {
      type: "plan.updated",
      entries: [
        { text: "one", status: "completed" },
        { text: "two", status: "in_progress" },
      ],
    },
  ]);
  expect(tell("thread/name/updated", { threadName: "Tidy up" })).toMatchObject([{ title: "Tidy up", by: "agent" }]);
  expect(tell("model/rerouted", { toModel: "gpt-5.5", reason: "x" })).toMatchObject([
    { model: "gpt-5.5", reason: "x" },
  ]);
  expect(tell("configWarning", { summary: "Codex will use the bundled bubblewrap in the meantime." })).toEqual([]);
  expect(tell("configWarning", { summary: "A line is wrong." })).toMatchObject([
    { type: "notice", message: "A line is wrong." },
  ]);
  expect(tell("mcpServer/startupStatus/updated", { name: "x", status: "starting" })).toEqual([]);
});

test("reports a sandbox that does not work once", () => {
  const { item } = conversation();
  const failed = (id: string) =>
    item("completed", "commandExecution", {
      id,
      command: "ls",
      cwd: "/w",
      status: "failed",
      exitCode: 1,
      aggregatedOutput: "bwrap: Creating new namespace failed\n",
    });
  expect(failed("a").at(-1)).toMatchObject({ type: "notice", code: "sandbox" });
  expect(failed("b").at(-1)).toMatchObject({ type: "tool.failed" });
});

test("reports unknown messages once per turn, with their number", () => {
  const { tell, item, ends } = conversation();
  expect(tell("brand/new")).toMatchObject([{ type: "notice", code: "unparsed" }]);
  expect(tell("brand/new")).toEqual([]);
  expect(item("completed", "brandNew", { id: "x" })).toMatchObject([{ code: "unparsed" }]);
  expect(ends()).toMatchObject([{ code: "unparsed", count: 2 }, { type: "turn.ended" }]);
});

test("handles odd notifications and those not about the conversation", () => {
  const { tell, item } = conversation();
  item("completed", "collabAgentToolCall", spawned);
  const startup = "mcpServer/startupStatus/updated";
  const warning = (message: string) => [{ type: "notice", level: "warning", code: "warning", message }];
  const entries = [{ text: "one", status: "pending" }];
  for (const [method, params, threadId, expected] of [
    ["turn/plan/updated", { plan: [{ step: "one" }] }, "main", [{ type: "plan.updated", entries }]],
    ["turn/plan/updated", { plan: [{ step: "one", status: "new" }] }, "main", [{ type: "plan.updated", entries }]],
    ["turn/plan/updated", { plan: "none" }, "main", [{ type: "plan.updated", entries: [] }]],
    ["turn/plan/updated", { plan: [{ step: "one" }] }, "sub", []],
    ["thread/name/updated", {}, "main", [{ type: "session.updated", title: "", by: "agent" }]],
    ["thread/name/updated", { threadName: "Its own" }, "sub", []],
    ["model/rerouted", { toModel: "gpt-5.5" }, "sub", []],
    ["model/rerouted", { toModel: 5 }, "main", []],
    ["warning", { message: null }, "main", []],
    [startup, { name: "x", status: "failed", error: "gone" }, "main", warning("The MCP server x did not start: gone")],
    [startup, { status: "failed" }, "main", warning("The MCP server  did not start: it did not say why")],
  ] as const)
    expect([method, params, tell(method, params, threadId)]).toEqual([method, params, expected]);
});

test("completes a text without content from its pieces, and ignores an empty one", () => {
  const { tell, item } = conversation();
  for (const [type, more, expected] of [
    ["agentMessage", {}, []],
    ["agentMessage", { id: 7, text: 7 }, []],
    ["agentMessage", { text: "No id." }, [{ type: "message.completed", messageId: "m1", text: "No id." }]],
    ["reasoning", { id: "r" }, []],
    ["reasoning", { id: "r", summary: [], content: ["a", 1, "b"] }, [{ type: "thought.completed", text: "a\n\nb" }]],
    ["reasoning", { id: "r", summary: ["s"], content: ["a"] }, [{ type: "thought.completed", text: "s" }]],
  ] as const)
    expect(item("completed", type, more)).toMatchObject(expected);
  tell("item/agentMessage/delta", delta("m", "Half an"));
  expect(item("completed", "agentMessage", { id: "m", text: null })).toMatchObject([
    { type: "message.completed", text: "Half an" },
  ]);
  expect(item("completed", "agentMessage", { id: "m" })).toEqual([]);
});

test("ends only the texts of the thread that ends", () => {
  const { tell, item, ends } = conversation();
  item("completed", "collabAgentToolCall", spawned);
  tell("item/agentMessage/delta", delta("m", "Mine"));
  tell("item/agentMessage/delta", delta("x", "Its"), "sub");
  expect(ends("completed", "sub")).toMatchObject([
    { type: "message.completed", text: "Its", parent: "s" },
    { type: "task.updated", taskId: "sub" },
  ]);
  expect(ends()).toMatchObject([{ type: "message.completed", text: "Mine" }, { type: "turn.ended" }]);
});

test("proposes a plan without fields, but not a subagent's", () => {
  const proposes = (more: object, threadId?: string) => {
    const { item, ends, translator } = conversation();
    translator.mode = "plan";
    item("completed", "collabAgentToolCall", spawned);
    expect(item("completed", "plan", more, threadId)).toEqual([]);
    return { ended: ends().map(({ type }) => type), plan: translator.proposed };
  };
  expect(proposes({ id: "p", text: "Do it." })).toEqual({ ended: [], plan: { callId: "p", plan: "Do it." } });
  expect(proposes({})).toEqual({ ended: [], plan: { callId: "plan", plan: "" } });
  expect(proposes({ id: "p", text: "Do it." }, "sub")).toEqual({ ended: ["turn.ended"], plan: undefined });
});

test("reports a compaction that nobody requested as Codex's own", () => {
  const { item, translator } = conversation();
  expect(item("started", "contextCompaction", { id: "k" })).toMatchObject([{ type: "turn.phase", phase: "compact" }]);
  expect(item("completed", "contextCompaction", { id: "k" })).toMatchObject([{ trigger: "auto" }]);
  translator.items.compacting = true;
  expect(item("completed", "contextCompaction", { id: "l" })).toMatchObject([{ trigger: "manual" }]);
});

test("creates one call for a subagent that is known only by its activity", () => {
  const { item } = conversation();
  const activity = { id: "a", kind: "started", agentThreadId: "sub", agentPath: "tidy" };
  const started = (callId: string, taskId: string, title: string) => [
    { type: "tool.started", callId, tool: "task", title: `Task: ${title}` },
    { type: "task.started", taskId, callId, kind: "subagent", title },
  ];
  for (const [more, expected] of [
    [{ agentThreadId: undefined }, []],
    [{ id: undefined }, []],
    [{ kind: "stopped" }, []],
    [{}, started("a", "sub", "tidy")],
    [{}, []],
    [{ agentThreadId: "other" }, [{ type: "task.started", taskId: "other", callId: "a" }]],
    [{ id: "b", agentThreadId: "third", agentPath: undefined }, started("b", "third", "Subagent")],
  ] as const)
    expect(item("completed", "subAgentActivity", { ...activity, ...more })).toMatchObject(expected);
});

test("ends subagents by a call that is not reported because it has no id", () => {
  const { item } = conversation();
  item("completed", "collabAgentToolCall", spawned);
  const closed = { tool: "closeAgent", status: "completed", receiverThreadIds: ["sub", "unknown"] };
  expect(item("completed", "collabAgentToolCall", closed)).toMatchObject([
    { type: "task.updated", taskId: "sub", status: "stopped" },
  ]);
  expect(item("completed", "collabAgentToolCall", closed)).toEqual([]);
});

test("matches an MCP request to the call with its input, or else to the last call", () => {
  const { item, translator } = conversation();
  for (const id of ["a", "b"]) item("started", "mcpToolCall", { id, server: "x", tool: "t", arguments: { id } });
  const found = (server: string, params?: unknown) => translator.calls.ofServer("main", server, params)?.callId;
  expect([found("x", { id: "a" }), found("x", { id: "c" }), found("x"), found("y")]).toEqual([
    "a",
    "b",
    "b",
    undefined,
  ]);
});

test("reports traffic with the model only for calls", () => {
  const { tell, translator } = conversation();
  const raw = (item: object) => tell("rawResponseItem/completed", { item });
  expect(raw({ type: "local_shell_call", call_id: "l" })).toEqual([]);
  expect(raw({ ...output("lost"), call_id: undefined })).toEqual([]);
  expect(raw(output("of a call nobody made"))).toEqual([]);
  raw({ type: "custom_tool_call", call_id: "d", input: "*** Begin" });
  expect(raw({ type: "custom_tool_call_output", call_id: "d", output: [{ text: "unsupported call" }] })).toMatchObject([
    { type: "tool.started", callId: "d", nativeName: "unknown", input: "*** Begin" },
    { type: "tool.failed", callId: "d", error: { message: "unsupported call" } },
  ]);
  const asked = { name: "request_user_input", namespace: undefined, input: {} };
  expect(translator.calls.asked("c", "main", undefined, asked)).toMatchObject([{ type: "tool.started", callId: "c" }]);
  expect(translator.calls.asked("c", "main", undefined, asked)).toEqual([]);
  expect(raw(output("Yes."))).toMatchObject([{ type: "tool.completed", callId: "c", output: { text: "Yes." } }]);
});

test("handles a background command that ends successfully without output", () => {
  const { item, ends, translator } = conversation();
  const command = { id: "c", command: "sleep 9", cwd: "/w" };
  item("started", "commandExecution", command);
  ends();
  expect(item("completed", "commandExecution", { ...command, status: "completed", exitCode: 0 })).toEqual([
    { type: "task.updated", taskId: "c", callId: "c", status: "completed", summary: undefined, parent: undefined },
  ]);
  expect(translator.calls.background).toEqual([]);
});

const patch = { id: "f", changes: [{ path: "/w/a", kind: { type: "add" }, diff: "x" }] };
const listing = { id: "c", command: "ls", cwd: "/w" };

test.each([
  ["a thought", "item/reasoning/textDelta", delta("r", "Hm"), true],
  ["a call", "item/started", { item: { type: "commandExecution", ...listing, id: "d" } }, true],
  ["a changed file", "item/completed", { item: { type: "fileChange", ...patch, status: "completed" } }, true],
  [
    "the end of a call",
    "item/completed",
    { item: { type: "commandExecution", ...listing, status: "completed" } },
    false,
  ],
])("decides whether %s of a subagent between turns begins a turn of the agent", (_what, method, params, makes) => {
  const { tell, item, ends, translator } = conversation();
  item("completed", "collabAgentToolCall", spawned);
  item("started", "fileChange", patch, "sub");
  item("started", "commandExecution", listing, "sub");
  expect(translator.busy).toBe(true);
  ends();
  expect([translator.busy, translator.subagents.running]).toEqual([false, ["sub"]]);
  expect(tell(method, params, "sub")).not.toEqual([]);
  const ended = ends("completed", "sub").filter(({ type }) => type === "turn.ended");
  expect(ended).toMatchObject(makes ? [{ origin: "agent", outcome: "done" }] : []);
  expect(translator.subagents.running).toEqual([]);
});
