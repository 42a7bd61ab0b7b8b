import { fc } from "../../test/support/fast-check.ts";
import { describe, expect, it } from "vitest";
import { asksToEdit } from "../../test/support/payloads.ts";
import { history, stamp } from "../../test/support/histories.ts";
import type { EventPayload, ReinsEvent } from "../events/types.ts";
import { conversation, type ConversationBuilder, createConversation } from "./index.ts";
import type { Item, TurnEntry } from "./model.ts";

const started: EventPayload = { type: "turn.started", origin: "prompt", input: { text: "hi" } };
const tool = (callId: string, more: object = {}): EventPayload => ({
  type: "tool.started",
  callId,
  tool: "edit",
  nativeName: "E",
  kind: "edit",
  title: "Edit a",
  input: { a: 1 },
  ...more,
});
const inTurn = (...events: readonly EventPayload[]): ReinsEvent[] =>
  stamp([started, ...events].map((event) => ({ ...event, turnId: "t" })));
const turnOf = (events: readonly ReinsEvent[]): TurnEntry => conversation(events).entries[0] as TurnEntry;

describe("texts", () => {
  it("grow by deltas and end with the complete text", () => {
    const events = inTurn(
      { type: "message.delta", messageId: "m", text: "a" },
      { type: "message.delta", messageId: "m", text: "b" },
      { type: "message.completed", messageId: "m", text: "ab", bytes: 9, kept: 2 },
    );
    expect(turnOf(events.slice(0, 3)).items).toMatchObject([{ kind: "message", text: "ab", streaming: true }]);
    expect(turnOf(events).items).toMatchObject([{ kind: "message", text: "ab", streaming: false, bytes: 9 }]);
  });

  it("disappear when they are discarded", () => {
    const events = inTurn(
      { type: "thought.delta", messageId: "m", text: "a" },
      { type: "message.completed", messageId: "n", text: "b" },
      { type: "message.discarded", messageId: "m", reason: "retry" },
      { type: "message.discarded", messageId: "unknown", reason: "retry" },
    );
    expect(turnOf(events).items).toMatchObject([{ id: "n" }]);
  });
});

describe("tool calls", () => {
  it("hold their subagent's items, output and file changes", () => {
    const events = inTurn(
      tool("c"),
      {
        type: "tool.progress",
        callId: "c",
        output: "one ",
        title: "Edit b",
        input: { b: 2 },
        locations: [{ path: "b" }],
      },
      { type: "tool.progress", callId: "c", output: "two" },
      tool("d", { parent: "c" }),
      { type: "tool.failed", callId: "d", error: { message: "x", exitCode: 2 }, reason: "error", parent: "c" },
      { type: "message.completed", messageId: "m", text: "from inside", parent: "c" },
    );
    expect(turnOf(events).items).toMatchObject([
      {
        ...{ kind: "tool", title: "Edit b", input: { b: 2 }, status: "running", progress: "one two" },
        items: [{ callId: "d", status: "failed", exitCode: 2 }, { text: "from inside" }],
      },
    ]);
    const ended = inTurn(
      tool("c"),
      { type: "tool.completed", callId: "c", output: { text: "x", bytes: 1, kept: 1 }, durationMs: 3, exitCode: 0 },
      { type: "file.changed", path: "a", op: "modify", callId: "c" },
      { type: "file.changed", path: "b", op: "create" },
    );
    expect(turnOf(ended).items).toMatchObject([
      { status: "completed", output: { text: "x" }, durationMs: 3, progress: "", files: [{ path: "a" }] },
      { kind: "file", path: "b" },
    ]);
  });

  it("keep the end of long output", () => {
    const piece = "x".repeat(10_000);
    const pieces = Array.from({ length: 10 }, (_, index): EventPayload => ({
      type: "tool.progress",
      callId: "c",
      output: piece + index,
    }));
    const [item] = turnOf(inTurn(tool("c"), ...pieces)).items as { progress: string }[];
    expect(item?.progress.endsWith("x9")).toBe(true);
    expect(item?.progress.length).toBeLessThan(33_000);
  });

  it("do not contain themselves when they name themselves as parent", () => {
    const turn = turnOf(inTurn(tool("c", { parent: "c" })));
    expect(turn.items).toMatchObject([{ callId: "c", items: [] }]);
  });
});

it("lists the pending requests", () => {
  const question: EventPayload = { type: "question.requested", requestId: "q", questions: [] };
  const asked = inTurn(tool("c"), asksToEdit, tool("d", { parent: "c" }), { ...question, parent: "d" });
  expect(conversation(asked).waiting.map(({ requestId }) => requestId)).toEqual(["r", "q"]);
  const answered = inTurn(
    ...[tool("c"), asksToEdit, question],
    { type: "permission.resolved", requestId: "r", outcome: "denied", by: "person", message: "no" },
    { type: "question.resolved", requestId: "q", outcome: "answered", answers: { a: "b" }, by: "person" },
  );
  expect(conversation(answered).waiting).toEqual([]);
  expect(turnOf(answered).items).toMatchObject([
    {},
    { resolution: { outcome: "denied" } },
    { resolution: { answers: { a: "b" } } },
  ]);
});

it("follows the agent, mode, usage and limits of the session", () => {
  const model = conversation(
    stamp([
      { type: "session.started", mode: "ask", cwd: "/w", resumed: false, model: "m1", modelLabel: "Model 1" },
      { type: "session.updated", title: "Title", by: "agent", commands: [{ name: "help" }] },
      { type: "session.updated", model: "m2", by: "agent", reason: "overloaded" },
      { type: "usage.updated", scope: "session", tokens: { input: 1, output: 2 }, costUsd: 3, context: { used: 5 } },
      { type: "usage.updated", scope: "session", tokens: { input: 9, output: 9 }, parent: "c" },
      { type: "usage.updated", scope: "session", context: { used: 6 } },
      { type: "limit.updated", window: "week", status: "ok" },
      { type: "limit.updated", window: "day", status: "warning" },
      { type: "limit.updated", window: "day", status: "warning", usedPercent: 90 },
      { type: "task.started", taskId: "b", kind: "shell", title: "Watch", status: "running" },
      { type: "task.updated", taskId: "b", status: "completed", summary: "It ended." },
      { type: "task.updated", taskId: "unheard", status: "running" },
    ]),
  );
  expect(model).toMatchObject({
    ...{
      sessionId: "session_1",
      agent: "demo",
      model: "m2",
      modelLabel: undefined,
      mode: "ask",
      cwd: "/w",
      title: "Title",
    },
    ...{ usage: { tokens: { input: 1 }, costUsd: 3 }, context: { used: 6 }, commands: [{ name: "help" }] },
    limits: [{ window: "week" }, { window: "day", usedPercent: 90 }],
    tasks: [
      { taskId: "b", status: "completed", summary: "It ended." },
      { taskId: "unheard", title: "unheard", taskKind: "other" },
    ],
  });
  expect(model.entries.map(({ kind }) => kind)).toEqual(["changed", "limit", "task", "task"]);
});

it("accepts unlawful and unknown events", () => {
  const strange = stamp([
    { type: "tool.progress", callId: "x" },
    { type: "tool.completed", callId: "x", output: { text: "", bytes: 0, kept: 0 } },
    { type: "tool.failed", callId: "x", error: { message: "" }, reason: "error" },
    { type: "turn.phase", phase: "model" },
    { type: "turn.completed", outcome: "done", text: "", durationMs: 1, toolCalls: 0, filesChanged: [] },
    { type: "permission.resolved", requestId: "x", outcome: "denied", by: "person" },
    { type: "usage.updated", scope: "turn", tokens: { input: 1, output: 1 } },
    { type: "from.tomorrow" } as unknown as EventPayload,
    started,
  ]);
  expect(conversation(strange)).toMatchObject({ lastSeq: 9, entries: [{ kind: "turn" }] });
});

/** All items, including nested ones. */
const flat = (entries: readonly (TurnEntry | Item)[]): (TurnEntry | Item)[] =>
  entries.flatMap((entry) => [entry, ...(entry.kind === "turn" || entry.kind === "tool" ? flat(entry.items) : [])]);

describe("any lawful history", () => {
  it("gives the same result one event at a time, with repeated events, and from a list", () => {
    fc.assert(
      fc.property(history, fc.nat(), (events, at) => {
        const builder: ConversationBuilder = createConversation();
        const growing = builder.conversation;
        for (const event of events.slice(0, at % events.length)) builder.apply(event);
        expect(growing).toEqual(conversation(events.slice(0, at % events.length)));
        for (const event of events) builder.apply(event);
        for (const event of events) builder.apply(event);
        expect(growing).toEqual(conversation(events));
      }),
    );
  });

  it("leaves nothing open, keeps every message and drops discarded ones", () => {
    fc.assert(
      fc.property(history, (events) => {
        const all = flat(conversation(events).entries);
        const texts = all.flatMap((item) => (item.kind === "message" || item.kind === "thought" ? [item] : []));
        const said = events.filter((event) => event.type === "message.completed" || event.type === "thought.completed");
        expect(texts.map(({ text }) => text).sort()).toEqual(said.map(({ text }) => text).sort());
        expect(texts.some(({ streaming }) => streaming)).toBe(false);
        expect(all.some((item) => item.kind === "tool" && item.status === "running")).toBe(false);
        expect(all.filter((item) => item.kind === "turn").every(({ end }) => end !== undefined)).toBe(true);
        expect(conversation(events).waiting).toEqual([]);
      }),
    );
  });
});
