import { expect, test } from "vitest";
import type { EventPayload, ReinsEvent } from "../../events/types.ts";
import { conversation } from "../../view/conversation.ts";
import { rowOf, Rows } from "./rows.ts";

const call = (callId: string): EventPayload => ({
  type: "tool.started",
  callId,
  tool: "read",
  nativeName: "read",
  kind: "read",
  title: `Read ${callId}`,
  input: {},
});
const output = { text: "x", bytes: 1, kept: 1 };
const turn = (turnId: string, ...inside: readonly (EventPayload & { parent?: string | undefined })[]) =>
  [
    { type: "turn.started", origin: "prompt", input: { text: `do ${turnId}` } } as const,
    ...inside,
    { type: "turn.completed", outcome: "done", text: "", durationMs: 1, toolCalls: 0, filesChanged: [] } as const,
  ].map((event) => ({ ...event, turnId }));

const events = [
  ...turn(
    "t1",
    { type: "message.delta", messageId: "m", text: "one" },
    call("c1"),
    { type: "message.completed", messageId: "m", text: "one" },
    { ...call("inner"), parent: "c1" },
    { type: "tool.completed", callId: "inner", output },
  ),
  ...turn(
    "t2",
    { type: "message.completed", messageId: "m", text: "one" },
    { type: "input.added", text: "faster", how: "steer" },
    { type: "tool.completed", callId: "c1", output },
    { type: "file.changed", path: "a.ts", op: "modify" },
    { type: "message.completed", messageId: "empty", text: " " },
    { type: "message.completed", messageId: "m", text: "two" },
  ),
].map((event, index) => ({ v: 1, seq: index + 1, time: "", sessionId: "s", agent: "a", ...event }) as ReinsEvent);
const rows = new Rows().of(conversation(events));
const keyFor = (is: (event: ReinsEvent) => boolean): string | undefined => rows[rowOf(rows, events.find(is)!)]?.key;

test("finds prompts, messages and changes in their own turn when ids repeat", () => {
  expect(keyFor(({ type, turnId }) => type === "turn.started" && turnId === "t2")).toBe("t2:prompt");
  const said = (turnId: string, text: string) =>
    keyFor((event) => event.type === "message.completed" && event.turnId === turnId && event.text === text);
  expect([said("t1", "one"), said("t2", "one"), said("t2", "two")]).toEqual([
    "message:m:t1:0",
    "message:m:t2:0",
    "message:m:t2:4",
  ]);
  expect(keyFor(({ type }) => type === "input.added")).toBe("t2:1");
  expect(keyFor(({ type }) => type === "file.changed")).toBe("t2:2");
});

test("finds a subagent's call in its parent row, and a late result where the call began", () => {
  expect(keyFor((event) => event.type === "tool.completed" && event.callId === "inner")).toBe("tool:c1");
  expect(keyFor((event) => event.type === "tool.completed" && event.callId === "c1")).toBe("tool:c1");
});

test("finds a hidden event at the start of its turn, and an event without a turn nowhere", () => {
  expect(keyFor((event) => event.type === "message.completed" && event.messageId === "empty")).toBe("t2:prompt");
  expect(rowOf(rows, { ...events[0]!, turnId: "gone" })).toBe(-1);
});
