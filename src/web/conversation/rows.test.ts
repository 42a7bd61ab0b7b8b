import { expect, test } from "vitest";
import type { ReinsEvent } from "../../events/types.ts";
import { createConversation } from "../../view/conversation.ts";
import type { ShownBox } from "../slash/boxes.ts";
import { Rows, stampOf } from "./rows.ts";

function fold() {
  const builder = createConversation();
  let seq = 0;
  const say = (event: object): void =>
    builder.apply({
      v: 1,
      seq: ++seq,
      time: "2026-11-16T09:00:00.000Z",
      sessionId: "s",
      agent: "a",
      ...event,
    } as ReinsEvent);
  return { conversation: builder.conversation, say };
}

const started = (turnId: string): object => ({ type: "turn.started", turnId, origin: "prompt", input: { text: "hi" } });
const delta = (turnId: string, messageId: string, text: string): object => ({
  type: "message.delta",
  turnId,
  messageId,
  text,
});
const completed = (turnId: string): object => ({
  type: "turn.completed",
  turnId,
  outcome: "done",
  text: "",
  durationMs: 1,
  toolCalls: 0,
  filesChanged: [],
});

test("makes rows of the prompt, the visible items and the end of a turn", () => {
  const { conversation, say } = fold();
  say(started("t"));
  say(delta("t", "m", " "));
  say({ type: "notice", turnId: "t", level: "info", code: "quiet", message: "x" });
  const rows = new Rows();
  expect(rows.of(conversation).map(({ kind }) => kind)).toEqual(["prompt", "item", "end"]);
  say(delta("t", "m", "word"));
  say(completed("t"));
  say({ type: "agent.switched", from: "a", to: "b", reason: "x" });
  expect(new Rows().of(conversation).map(({ key }) => key)).toEqual([
    "t:prompt",
    "message:m:t:0",
    "t:1",
    "t:end",
    "between:1",
  ]);
});

test("adds a row when an empty message gets its first word", () => {
  const { conversation, say } = fold();
  const rows = new Rows();
  say(started("t"));
  say(delta("t", "m", ""));
  expect(rows.of(conversation)).toHaveLength(2);
  say(delta("t", "m", "a"));
  expect(rows.of(conversation)).toHaveLength(3);
});

test("reuses the rows of unchanged turns, with unique keys", () => {
  const { conversation, say } = fold();
  const rows = new Rows();
  for (const turn of ["t1", "t2"]) {
    say(started(turn));
    say(delta(turn, "m", "a"));
    if (turn === "t1") say(completed(turn));
  }
  const before = rows.of(conversation);
  say(delta("t2", "m", "b"));
  const after = rows.of(conversation);
  expect(after.every((row, index) => row === before[index])).toBe(true);
  expect(new Set(after.map(({ key }) => key)).size).toBe(after.length);
});

test("drops the row of a removed item when another item arrives", () => {
  const { conversation, say } = fold();
  const rows = new Rows();
  say(started("t"));
  say(delta("t", "m1", "wrong"));
  rows.of(conversation);
  say({ type: "message.discarded", turnId: "t", messageId: "m1", reason: "retry" });
  say(delta("t", "m2", "right"));
  expect(rows.of(conversation).map(({ key }) => key)).toEqual(["t:prompt", "message:m2:t:0", "t:end"]);
});

test("changes a stamp exactly when the row looks different", () => {
  const { conversation, say } = fold();
  const rows = new Rows();
  say(started("t"));
  say({
    type: "tool.started",
    turnId: "t",
    callId: "c",
    tool: "shell",
    nativeName: "x",
    kind: "execute",
    title: "Run",
    input: {},
  });
  say(delta("t", "m", "a"));
  const stamps = (): string[] => rows.of(conversation).map(stampOf);
  const [prompt, tool, message, end] = stamps();
  say({ type: "tool.progress", turnId: "t", callId: "c", output: "more" });
  expect(stamps()[1]).not.toBe(tool);
  expect([stamps()[0], stamps()[2], stamps()[3]]).toEqual([prompt, message, end]);
  const running = stamps()[1];
  say({
    type: "tool.started",
    turnId: "t",
    parent: "c",
    callId: "d",
    tool: "read",
    nativeName: "r",
    kind: "read",
    title: "Read",
    input: {},
  });
  expect(stamps()[1]).not.toBe(running);
  say({ type: "message.completed", turnId: "t", messageId: "m", text: "a" });
  expect(stamps()[2]).not.toBe(message);
  say(completed("t"));
  expect(stamps()[3]).not.toBe(end);
});

test("keeps answers to commands where they were given", () => {
  const { conversation, say } = fold();
  const box = (id: number, after: number): ShownBox => ({
    ...{ id, place: "s", after, pending: false, actions: [] },
    box: { title: `/${id}`, lines: [] },
  });
  const boxes = [box(1, 0), box(2, 1)];
  const kinds = (): string[] =>
    new Rows().of(conversation, boxes).map(({ kind, key }) => (kind === "box" ? key : kind));
  expect(kinds()).toEqual(["box:1", "box:2"]);
  say(started("t"));
  say(completed("t"));
  expect(kinds()).toEqual(["box:1", "prompt", "end", "box:2"]);
  say(started("u"));
  // An earlier request that was answered late.
  boxes.push(box(3, 1), box(4, 2));
  expect(kinds()).toEqual(["box:1", "prompt", "end", "box:2", "box:3", "prompt", "end", "box:4"]);
});
