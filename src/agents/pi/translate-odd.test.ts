/** Messages that pi sends rarely or incorrectly, and the events they cause. */
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

/** The events of the last message, in a turn. */
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
])("handles a call that starts %s", (_, messages, events) => expect(lastOf(...messages)).toMatchObject(events));

const long = "0123456789".repeat(30);

test.each<[string, unknown[], string[]]>([
  ["of no call", [bash, shown("x", null)], []],
  ["of a call with an id of another type", [bash, shown("x", 7)], []],
  ["of an unknown call", [bash, shown("x", "d")], []],
  ["of a call that has ended", [bash, end("c"), shown("x")], []],
  ["that is empty", [bash, shown("")], []],
  ["without news", [bash, shown("one\n"), shown("one\n")], []],
  ["that continues", [bash, shown("one\n"), shown("one\ntwo\n")], ["two\n"]],
  ["that is only its last part", [bash, shown(`first\n${long}`), shown(`${long}new`)], ["new"]],
  ["unrelated to the previous one", [bash, shown(long), shown("something else")], []],
  [
    "that continues from there",
    [bash, shown(long), shown("something else"), shown("something else again")],
    [" again"],
  ],
  ["that is a shorter part of the same", [bash, shown(`first\n${long}`), shown(long)], []],
])("handles an output %s", (_, messages, outputs) =>
  expect(lastOf(...messages)).toEqual(outputs.map((output) => ({ type: "tool.progress", callId: "c", output }))),
);

test.each<[string, unknown[], object[]]>([
  ["of no call", [bash, end(undefined)], []],
  ["of a call with an id of another type", [bash, end(null)], []],
  ["of an unknown call", [bash, end("d")], []],
  ["that comes twice", [bash, end("c"), end("c")], []],
  ["without a result", [bash, end("c")], [{ type: "tool.completed", callId: "c", output: { text: "", bytes: 0 } }]],
  [
    "of a failure without a text",
    [bash, end("c", { isError: true })],
    [{ type: "tool.failed", callId: "c", reason: "error", error: { message: "The tool failed without a message." } }],
  ],
])("handles an end %s", (_, messages, events) => expect(lastOf(...messages)).toMatchObject(events));

test("reports a denied call as failed for that reason, and ignores unknown calls", () => {
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
])("ignores a piece %s", (_, piece) => expect(lastOf(update(piece))).toEqual([]));

test.each<[unknown, string]>([
  [{ type: "novelty" }, "novelty"],
  [{ type: 7 }, "nothing"],
  [undefined, "nothing"],
])("reports an update of an unknown type (%j) once", (piece, type) => {
  const message = `pi sent a message_update of type ${type}, which Reins does not know; it was ignored.`;
  expect(lastOf(update(piece))).toEqual([{ type: "notice", level: "warning", code: "unparsed", message }]);
  expect(lastOf(update(piece), update(piece))).toEqual([]);
});

test("puts a piece without an index into the first block, and starts another for another kind", () => {
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
  ["invalid parts", ["text", null, 7], []],
  ["an empty text and an empty thought", [{ type: "text" }, { type: "thinking", thinking: "" }], []],
  ["a text of another type", [{ type: "text", text: 7 }], []],
  [
    "a text after invalid parts",
    [null, { type: "text", text: "Yes." }],
    [{ type: "message.completed", messageId: "m1", text: "Yes." }],
  ],
])("handles an answer with %s", (_, content, events) => expect(lastOf(answer(content))).toEqual(events));

test("discards streamed text that the whole answer does not contain", () => {
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
  ["something hidden", { content: "Secret" }, []],
])("handles a message of an extension with %s", (_, message, events) =>
  expect(lastOf({ type: "message_end", message: { role: "custom", ...message } })).toEqual(events),
);

test.each<[object, object[]]>([
  [{ message: "Hi" }, [{ level: "info", message: "Hi" }]],
  [{ message: "Hi", notifyType: "error" }, [{ level: "error", message: "Hi" }]],
  [{ message: "Hi", notifyType: "loud" }, [{ level: "info", message: "Hi" }]],
  [{ message: 7 }, [{ level: "info", message: "" }]],
])("handles a notification %j", (more, events) =>
  expect(lastOf({ type: "extension_ui_request", id: "1", method: "notify", ...more })).toEqual(
    events.map((event) => ({ type: "notice", code: "extension", ...event })),
  ),
);

test.each<[object, string]>([
  [{ name: "Mine" }, "Mine"],
  [{}, ""],
  [{ name: null }, ""],
])("handles a session named %j", (named, title) =>
  expect(lastOf({ type: "session_info_changed", ...named })).toEqual([{ type: "session.updated", title, by: "agent" }]),
);

test.each(["auto_retry_start", "summarization_retry_scheduled"])(
  "counts %s without fields as the first of the allowed retries",
  (type) => {
    const [phase, retrying, ...more] = lastOf({ type });
    expect(phase).toEqual({ type: "turn.phase", phase: "retry" });
    expect(retrying).toMatchObject({ type: "agent.retrying", attempt: 1, ofMax: mostRetries });
    expect(retrying).toMatchObject({ delayMs: undefined, error: { code: "agent_error" } });
    expect(more).toEqual([]);
    expect(lastOf({ type, maxAttempts: 1 })[1]).toMatchObject({ ofMax: 1 });
  },
);

test("reports no phase for a compaction outside a turn", () => {
  const translator = translatorOf();
  expect(translator.translate({ type: "compaction_start", reason: "manual" })).toEqual([]);
  expect(translator.running).toBe(false);
});

const streamed = update({ type: "text_delta", contentIndex: 0, delta: "Half" });
const discarded = { type: "message.discarded", messageId: "m1", reason: "retry" };

test.each<[string, object, object[]]>([
  ["was aborted", { aborted: true, errorMessage: "Aborted." }, []],
  ["failed without a text", {}, []],
  ["failed before another attempt", { willRetry: true }, [discarded]],
  [
    "failed before another attempt, with a reason",
    { willRetry: true, errorMessage: "No." },
    [discarded, { type: "notice", level: "warning", code: "compaction", message: "pi could not compact: No." }],
  ],
  ["was requested", { reason: "manual", result: {} }, [{ type: "context.compacted", trigger: "manual" }]],
  [
    "makes room for another attempt",
    { willRetry: true, reason: "overflow", result: { tokensBefore: 9, estimatedTokensAfter: "few" } },
    [discarded, { type: "context.compacted", trigger: "auto", before: 9 }],
  ],
])("handles a compaction that %s", (_, message, events) =>
  expect(lastOf(streamed, { type: "compaction_end", ...message })).toEqual(events),
);

test("ends the turn of a Reins command once", () => {
  const translator = translatorOf();
  expect(translator.commandEnded()).toEqual([]);
  translator.promptSent();
  expect(translator.commandEnded()).toEqual([{ type: "turn.ended", outcome: "done" }]);
  expect(translator.commandEnded()).toEqual([]);
});
