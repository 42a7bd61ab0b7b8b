/** Messages that pi sends rarely, or not as it should: what readers are told of them. */
import { expect, test } from "vitest";
import { replay, translatorOf } from "../../../test/fixtures/pi/replay.ts";
import { expectLawful } from "../../../test/support/lawful.ts";
import type { AgentEvent } from "../../events/types.ts";
import { mostRetries } from "./translate.ts";

const start = { type: "agent_start" };
const settled = { type: "agent_settled" };
const update = (assistantMessageEvent: unknown) => ({ type: "message_update", assistantMessageEvent });
const answer = (content: unknown) => ({ type: "message_end", message: { role: "assistant", content } });
const shown = (text: string, toolCallId: unknown = "c") => ({
  type: "tool_execution_update",
  toolCallId,
  partialResult: { content: [{ type: "text", text }] },
});
const bash = { type: "tool_execution_start", toolCallId: "c", toolName: "bash", args: { command: "ls" } };
const end = (toolCallId: unknown, more: object = {}) => ({ type: "tool_execution_end", toolCallId, ...more });

/** What is told of the last of these, in a turn. */
function lastOf(...messages: unknown[]): readonly AgentEvent[] {
  const translator = translatorOf();
  translator.promptSent();
  translator.promptAccepted();
  return [start, ...messages].map((message) => translator.translate(message)).at(-1)!;
}

test.each<[string, unknown[], object[]]>([
  ["without an id", [{ ...bash, toolCallId: undefined }], []],
  ["with an id of another type", [{ ...bash, toolCallId: 7 }], []],
  ["a second time", [bash, bash], []],
  [
    "without a name and without an input",
    [{ type: "tool_execution_start", toolCallId: "c" }],
    [{ type: "tool.started", callId: "c", tool: "other", nativeName: "unknown", input: {} }],
  ],
])("a call that starts %s", (_, messages, events) => expect(lastOf(...messages)).toMatchObject(events));

const long = "0123456789".repeat(30);

test.each<[string, unknown[], string[]]>([
  ["of no call", [bash, shown("x", null)], []],
  ["of a call with an id of another type", [bash, shown("x", 7)], []],
  ["of a call nobody knows", [bash, shown("x", "d")], []],
  ["of a call that has ended", [bash, end("c"), shown("x")], []],
  ["that is empty", [bash, shown("")], []],
  ["that says nothing new", [bash, shown("one\n"), shown("one\n")], []],
  ["that goes on", [bash, shown("one\n"), shown("one\ntwo\n")], ["two\n"]],
  ["that is only its last part", [bash, shown(`first\n${long}`), shown(`${long}new`)], ["new"]],
  ["that has nothing to do with what came before", [bash, shown(long), shown("something else")], []],
  ["that goes on from there", [bash, shown(long), shown("something else"), shown("something else again")], [" again"]],
  ["that is a shorter piece of the same", [bash, shown(`first\n${long}`), shown(long)], []],
])("an output %s", (_, messages, outputs) =>
  expect(lastOf(...messages)).toEqual(outputs.map((output) => ({ type: "tool.progress", callId: "c", output }))),
);

test.each<[string, unknown[], object[]]>([
  ["of no call", [bash, end(undefined)], []],
  ["of a call with an id of another type", [bash, end(null)], []],
  ["of a call nobody knows", [bash, end("d")], []],
  ["that comes twice", [bash, end("c"), end("c")], []],
  ["without a result", [bash, end("c")], [{ type: "tool.completed", callId: "c", output: { text: "", bytes: 0 } }]],
  [
    "of a failure without a word",
    [bash, end("c", { isError: true })],
    [{ type: "tool.failed", callId: "c", reason: "error", error: { message: "The tool failed and did not say why." } }],
  ],
])("an end %s", (_, messages, events) => expect(lastOf(...messages)).toMatchObject(events));

test("a call that was denied failed because of it; of one that nobody knows, nothing is held, changed or denied", () => {
  const translator = translatorOf();
  translator.translate(bash);
  translator.calls.held("d", { path: "/x", existed: false, text: undefined });
  expect(translator.calls.inputChanged("d", { command: "pwd" }, undefined)).toEqual([]);
  translator.calls.stopped("d");
  expect(translator.calls.inputChanged("c", { command: "pwd" }, undefined)).toMatchObject([
    { type: "tool.progress", callId: "c", input: { command: "pwd" } },
  ]);
  translator.calls.stopped("c");
  const said = { isError: true, result: { content: [{ type: "text", text: "No." }] } };
  expect(translator.translate(end("c", said))).toEqual([
    { type: "tool.failed", callId: "c", reason: "denied", error: { message: "No." } },
  ]);
});

test.each<[string, unknown]>([
  ["without a text", { type: "text_delta", contentIndex: 0 }],
  ["with a text of another type", { type: "text_delta", contentIndex: 0, delta: 7 }],
  ["that is empty", { type: "thinking_delta", contentIndex: 0, delta: "" }],
  ["that only begins", { type: "start" }],
  ["that only ends", { type: "done" }],
])("a piece %s is nothing", (_, piece) => expect(lastOf(update(piece))).toEqual([]));

test.each<[unknown, string]>([
  [{ type: "novelty" }, "novelty"],
  [{ type: 7 }, "nothing"],
  [undefined, "nothing"],
])("an update of an unknown type (%j) is told, once", (piece, type) => {
  const message = `pi sent a message_update of type ${type}, which Reins does not know; it was left out.`;
  expect(lastOf(update(piece))).toEqual([{ type: "notice", level: "warning", code: "unparsed", message }]);
  expect(lastOf(update(piece), update(piece))).toEqual([]);
});

test("a piece without a place belongs to the first block, and one of another kind begins another", () => {
  const thinks = update({ type: "thinking_delta", delta: "Hm." });
  const { said, seen } = replay([
    start,
    thinks,
    update({ type: "text_delta", contentIndex: 0, delta: "Yes." }),
    settled,
  ]);
  expect(said.slice(1, -2)).toEqual([
    { type: "thought.delta", messageId: "m1", text: "Hm." },
    { type: "thought.completed", messageId: "m1", text: "Hm." },
    { type: "message.delta", messageId: "m2", text: "Yes." },
    { type: "message.completed", messageId: "m2", text: "Yes." },
  ]);
  expectLawful(seen);
});

test.each<[string, unknown, object[]]>([
  ["no content", undefined, []],
  ["parts that are none", ["text", null, 7], []],
  ["a text and a thought that say nothing", [{ type: "text" }, { type: "thinking", thinking: "" }], []],
  ["a text of another type", [{ type: "text", text: 7 }], []],
  [
    "something after parts that are none",
    [null, { type: "text", text: "Yes." }],
    [{ type: "message.completed", messageId: "m1", text: "Yes." }],
  ],
])("an answer with %s", (_, content, events) => expect(lastOf(answer(content))).toEqual(events));

test("an answer that took back all that streamed discards it", () => {
  const streamed = update({ type: "text_delta", contentIndex: 0, delta: "Oh" });
  expect(lastOf(streamed, answer([{ type: "text" }]))).toEqual([
    { type: "message.discarded", messageId: "m1", reason: "retry" },
  ]);
});

test.each<[string, object, object[]]>([
  [
    "texts",
    {
      content: [
        { type: "text", text: "For" },
        { type: "text", text: "you" },
      ],
      display: true,
    },
    [{ type: "notice", level: "info", code: "extension", message: "For\nyou" }],
  ],
  ["nothing", { content: "", display: true }, []],
  ["no content at all", { display: true }, []],
  ["something that is not to be shown", { content: "Secret" }, []],
])("a message of an extension with %s", (_, message, events) =>
  expect(lastOf({ type: "message_end", message: { role: "custom", ...message } })).toEqual(events),
);

test.each<[object, object[]]>([
  [{ message: "Hi" }, [{ level: "info", message: "Hi" }]],
  [{ message: "Hi", notifyType: "error" }, [{ level: "error", message: "Hi" }]],
  [{ message: "Hi", notifyType: "loud" }, [{ level: "info", message: "Hi" }]],
  [{ message: 7 }, [{ level: "info", message: "" }]],
])("a notification %j", (more, events) =>
  expect(lastOf({ type: "extension_ui_request", id: "1", method: "notify", ...more })).toEqual(
    events.map((event) => ({ type: "notice", code: "extension", ...event })),
  ),
);

test.each<[object, string]>([
  [{ name: "Mine" }, "Mine"],
  [{}, ""],
  [{ name: null }, ""],
])("a session that is named %j", (named, title) =>
  expect(lastOf({ type: "session_info_changed", ...named })).toEqual([{ type: "session.updated", title, by: "agent" }]),
);

test.each(["auto_retry_start", "summarization_retry_scheduled"])(
  "%s that says nothing is the first of our most",
  (type) => {
    const [phase, retrying, ...more] = lastOf({ type });
    expect(phase).toEqual({ type: "turn.phase", phase: "retry" });
    expect(retrying).toMatchObject({ type: "agent.retrying", attempt: 1, ofMax: mostRetries });
    expect(retrying).toMatchObject({ delayMs: undefined, error: { code: "agent_error" } });
    expect(more).toEqual([]);
    expect(lastOf({ type, maxAttempts: 1 })[1]).toMatchObject({ ofMax: 1 });
  },
);

test("a compaction outside of a turn is no phase of one", () => {
  const translator = translatorOf();
  expect(translator.translate({ type: "compaction_start", reason: "manual" })).toEqual([]);
  expect(translator.running).toBe(false);
});

const streamed = update({ type: "text_delta", contentIndex: 0, delta: "Half" });
const discarded = { type: "message.discarded", messageId: "m1", reason: "retry" };

test.each<[string, object, object[]]>([
  ["was aborted", { aborted: true, errorMessage: "Aborted." }, []],
  ["failed without a word", {}, []],
  ["failed before another try", { willRetry: true }, [discarded]],
  [
    "failed before another try, and says why",
    { willRetry: true, errorMessage: "No." },
    [discarded, { type: "notice", level: "warning", code: "compaction", message: "pi could not compact: No." }],
  ],
  ["was asked for", { reason: "manual", result: {} }, [{ type: "context.compacted", trigger: "manual" }]],
  [
    "makes room for another try",
    { willRetry: true, reason: "overflow", result: { tokensBefore: 9, estimatedTokensAfter: "few" } },
    [discarded, { type: "context.compacted", trigger: "auto", before: 9 }],
  ],
])("a compaction that %s", (_, message, events) =>
  expect(lastOf(streamed, { type: "compaction_end", ...message })).toEqual(events),
);

test("a command of our own ends its turn once", () => {
  const translator = translatorOf();
  expect(translator.commandEnded()).toEqual([]);
  translator.promptSent();
  expect(translator.commandEnded()).toEqual([{ type: "turn.ended", outcome: "done" }]);
  expect(translator.commandEnded()).toEqual([]);
});
