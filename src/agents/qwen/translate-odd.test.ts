/** Messages that Qwen Code sends rarely or incorrectly, and the events they cause. */
import { expect, test } from "vitest";
import { translatorOf } from "../../../test/fixtures/qwen/replay.ts";
import type { AgentEvent } from "../../events/types.ts";

const delta = (part: object, parent?: string) => ({
  type: "stream_event",
  parent_tool_use_id: parent,
  event: { type: "content_block_delta", index: 0, delta: part },
});
const says = (text: unknown, parent?: string) => delta({ type: "text_delta", text }, parent);
const thinks = (thinking: unknown) => delta({ type: "thinking_delta", thinking });
const begins = (parent?: string) => ({
  type: "stream_event",
  parent_tool_use_id: parent,
  event: { type: "message_start" },
});
const whole = (...content: unknown[]) => ({ type: "assistant", message: { content } });
const text = (said: unknown) => whole({ type: "text", text: said });
const results = (...content: unknown[]) => ({ type: "user", message: { content } });
const system = (subtype: string, data?: unknown) => ({ type: "system", subtype, data });
const init = (permission_mode: string) => ({ type: "system", subtype: "init", session_id: "s1", permission_mode });
const call = { type: "tool_use", id: "c1", name: "list_directory", input: { path: "." } };
/** A message without events of its own, which confirms what waits for the next line. */
const next = results();

const retries = [
  { type: "turn.phase", phase: "retry" },
  { type: "agent.retrying", attempt: 1, ofMax: 2 },
];

/** The events of these messages in a turn. */
function toldOf(...messages: unknown[]): AgentEvent[] {
  const translator = translatorOf();
  translator.prompted();
  return messages.flatMap((message) => translator.translate(message));
}

test.each<[string, unknown[], object[]]>([
  [
    "without a name and without an input",
    [whole({ type: "tool_use", id: "c1" }), next],
    [{ type: "tool.started", callId: "c1", tool: "other", nativeName: "unknown", input: {} }],
  ],
  ["without an id", [whole({ ...call, id: undefined }), next], []],
  ["with an id of another type", [whole({ ...call, id: 7 }), next], []],
  ["twice in an answer", [whole(call, call), next], [{ type: "tool.started", callId: "c1", tool: "list" }]],
  [
    "again after its end",
    [whole(call), results({ type: "tool_result", tool_use_id: "c1", content: "x" }), whole(call), next],
    [{ type: "tool.started" }, { type: "tool.completed", callId: "c1" }],
  ],
])("handles a call %s", (_, messages, events) => expect(toldOf(...messages)).toMatchObject(events));

test.each<[string, unknown[], object[]]>([
  ["without an id", [results({ type: "tool_result", content: "x" })], []],
  ["with an id of another type", [results({ type: "tool_result", tool_use_id: 7, content: "x" })], []],
  [
    "of an unknown call, twice",
    [results(...[1, 2].map(() => ({ type: "tool_result", tool_use_id: "c9", content: "x" })))],
    [{ type: "tool.completed", callId: "c9", output: { text: "x", bytes: 1 } }],
  ],
])("handles a result %s", (_, messages, events) => expect(toldOf(...messages)).toMatchObject(events));

test("changes the input of a running call only", () => {
  const translator = translatorOf();
  translator.prompted();
  translator.translate(whole(call));
  translator.settle();
  translator.calls.runsWith("c9", { path: "x" });
  expect(translator.calls.find("c9")).toBeUndefined();
  expect(translator.calls.find("c1")?.call.input).toEqual({ path: "." });
  translator.calls.runsWith("c1", { path: "x" });
  expect(translator.calls.find("c1")?.call.input).toEqual({ path: "x" });
});

const skipped = {
  type: "tool_result",
  tool_use_id: "c1",
  is_error: true,
  content: "Skipped because the provider attempt was retried before execution.",
};

test("hides a tool that never ran when the answer is retracted, and reports it otherwise", () => {
  expect(toldOf(whole(call), results(skipped), system("retry"))).toMatchObject(retries);
  expect(toldOf(whole(call), results(skipped), next)).toMatchObject([
    { type: "tool.started", callId: "c1" },
    { type: "tool.failed", callId: "c1", error: { message: skipped.content } },
  ]);
});

test("keeps the mode when the program reports an unknown one", () => {
  const translator = translatorOf();
  translator.translate(init("default"));
  expect(translator.translate(init("novelty"))).toEqual([
    { type: "session.updated", by: "agent", nativeMode: "novelty" },
  ]);
  expect(translator.session.mode).toBe("ask");
  expect(translator.translate(init("yolo"))).toEqual([
    { type: "session.updated", by: "agent", nativeMode: "yolo", mode: "full" },
  ]);
});

const thought = (type: string, said: string) => ({ type: `thought.${type}`, messageId: "m1", text: said });
const message = (type: string, said: string, id = 1) => ({ type: `message.${type}`, messageId: `m${id}`, text: said });

test.each<[string, unknown[], object[]]>([
  ["a whole text that is empty", [text(""), next], []],
  ["a whole text without a text", [text(undefined), whole({ type: "text" }), next], []],
  ["a whole thought without a thought", [whole({ type: "thinking" }), whole({ type: "thinking", thinking: 7 })], []],
  ["pieces of another type", [says(7), thinks(null), delta({ type: "novelty" })], []],
  ["a whole text that did not stream", [text("Yes."), next], [message("completed", "Yes.")]],
  [
    "a whole thought that comes late",
    [thinks("Hm."), says("Yes."), whole({ type: "thinking", thinking: "Hm." }), text("Yes."), next],
    [
      thought("delta", "Hm."),
      thought("completed", "Hm."),
      message("delta", "Yes.", 2),
      message("completed", "Yes.", 2),
    ],
  ],
  [
    "a piece after the whole",
    [says("One."), text("One."), says("Two.")],
    [message("delta", "One."), message("completed", "One."), message("delta", "Two.", 2)],
  ],
  ["a piece that is empty after the whole", [says("One."), text("One."), says("")], [message("delta", "One.")]],
  ["another answer", [says("One."), text("One."), begins()], [message("delta", "One."), message("completed", "One.")]],
  ["another answer of a subagent", [says("One."), text("One."), begins("c1")], [message("delta", "One.")]],
  [
    "text that only looked like a failure",
    [says("[API Error: "), says("is what it prints."), text("[API Error: is what it prints."), next],
    [message("delta", "[API Error: is what it prints."), message("completed", "[API Error: is what it prints.")],
  ],
  [
    "two failures, of which the first was the model's text",
    [says("[API Error: 1]"), says("[API Error: 2]")],
    [message("delta", "[API Error: 1]")],
  ],
])("handles %s", (_, messages, events) => expect(toldOf(...messages)).toEqual(events));

test.each<[string, unknown[], object[]]>([
  ["nothing", [], retries],
  ["a failure", [says("[API Error: 500 no]")], retries],
  [
    "half an answer",
    [says("Half")],
    [message("delta", "Half"), { type: "message.discarded", messageId: "m1", reason: "retry" }, ...retries],
  ],
])("handles another request to the model after %s", (_, messages, events) =>
  expect(toldOf(...messages, system("retry"))).toMatchObject(events),
);

test("keeps the text and drops the tools when the model continues after a whole answer", () => {
  expect(toldOf(whole({ type: "text", text: "One." }, call), system("retry", { preserveText: true }))).toMatchObject([
    message("completed", "One."),
    ...retries,
  ]);
});

test.each<[string, string, object]>([
  ["worktree_started", "notice", { level: "info" }],
  ["worktree_restored", "notice", { level: "info" }],
  ["vision_routing", "notice", { level: "info" }],
  ["vision_bridge", "notice", { level: "info" }],
  ["vision_bridge_failed", "notice", { level: "warning" }],
  ["continue_turn_failed", "error", { level: "warning" }],
])("reports the content of system/%s (%s), and nothing when it is empty", (subtype, key, event) => {
  expect(toldOf(system(subtype, { [key]: "So." }))).toEqual([
    { type: "notice", code: "informational", message: "So.", ...event },
  ]);
  expect(toldOf(system(subtype), system(subtype, "So."), system(subtype, { [key]: 7 }))).toEqual([]);
});

test.each<[unknown, object[]]>([
  [{ fromModel: "a", toModel: "b" }, [{ model: "b", reason: "a has no capacity." }]],
  [{ toModel: "b" }, [{ model: "b", reason: "The model has no capacity." }]],
  [{ fromModel: "a" }, []],
  [undefined, []],
])("reports that another model takes over: %j", (data, events) =>
  expect(toldOf(system("model_fallback", data), system("model_fallback", data))).toEqual(
    events.map((event) => ({ type: "session.updated", by: "agent", ...event })),
  ),
);

test("reports an unknown system message and confirms what waited for it", () => {
  expect(toldOf(text("Yes."), system("novelty"))).toMatchObject([
    message("completed", "Yes."),
    { type: "notice", code: "unparsed" },
  ]);
});

test("reports a subagent's message when the subagent is known and the message is not empty", () => {
  const translator = translatorOf();
  translator.prompted();
  translator.translate(whole({ type: "tool_use", id: "c1", name: "agent", input: {} }));
  expect(translator.reported("explorer-c9", "Found.")).toMatchObject([{ type: "tool.started", callId: "c1" }]);
  expect(translator.reported("explorer-c9", "Found.")).toEqual([]);
  expect(translator.reported("explorer-c1", "")).toEqual([]);
  expect(translator.reported("explorer-c1", "Found.")).toEqual([{ ...message("completed", "Found."), parent: "c1" }]);
});
