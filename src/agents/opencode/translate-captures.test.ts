import { expect, test } from "vitest";
import { recordedEvents, recordedMarks, recordedSession } from "../../../test/fixtures/opencode/read.ts";
import { replay } from "../../../test/fixtures/opencode/replay.ts";
import { expectLawful } from "../../../test/support/lawful.ts";
import { agentEventSchema } from "../../events/schema/index.ts";
import type { AgentEvent } from "../../events/types.ts";

const all = <Type extends AgentEvent["type"]>(events: readonly AgentEvent[], type: Type) =>
  events.filter((event): event is Extract<AgentEvent, { type: Type }> => event.type === type);
const texts = (events: readonly AgentEvent[]) => all(events, "message.completed").map(({ text }) => text);

test("translates the whole recording without breaking a law or finding unknown events", () => {
  const { said, seen } = replay(recordedEvents());
  for (const event of said)
    expect([event, agentEventSchema.safeParse(event).error?.message]).toEqual([event, undefined]);
  expectLawful(seen);
  expect(all(said, "notice")).toEqual([]);
});

test("reports every part of the answers once, as recorded whole", () => {
  const whole = new Map<unknown, unknown>();
  const models = new Set<unknown>();
  for (const { type, properties } of recordedEvents()) {
    const info = Object(properties["info"]) as { id?: unknown; role?: unknown };
    if (type === "message.updated" && info.role === "assistant") models.add(info.id);
    const part = Object(properties["part"]) as { [key: string]: unknown; time?: { end?: number } };
    if (type !== "message.part.updated" || part["type"] !== "text" || !models.has(part["messageID"])) continue;
    if (part["sessionID"] === recordedSession && part.time?.end !== undefined) whole.set(part["id"], part["text"]);
  }
  const said = texts(replay(recordedEvents()).said).map((text) => text.trimEnd());
  expect(said.toSorted()).toEqual([...whole.values()].map((text) => String(text).trimEnd()).toSorted());
});

test("reports the outcome of a turn", () => {
  const { said } = replay(recordedEvents());
  const outcomes = all(said, "turn.ended").map(({ outcome, error }) => error?.code ?? outcome);
  expect(outcomes.length).toBeGreaterThan(8);
  expect(new Set(outcomes)).toEqual(new Set(["done", "cancelled", "not_authenticated"]));
  expect(all(said, "turn.ended").every(({ origin }) => origin === "agent")).toBe(true);
});

test("reports tools, their results and changed files", () => {
  const { said } = replay(recordedEvents());
  const started = all(said, "tool.started");
  expect(new Set(started.map(({ tool }) => tool))).toEqual(new Set(["shell", "write"]));
  expect(all(said, "file.changed")).toMatchObject([{ path: "patched.txt", op: "create" }]);
  const reasons = all(said, "tool.failed").map(({ reason }) => reason);
  expect(new Set(reasons)).toEqual(new Set(["denied", "cancelled"]));
  expect(all(said, "agent.retrying")[0]).toMatchObject({ attempt: 1, ofMax: 2, error: { code: "overloaded" } });
});

test("reports the tokens of each turn, which add up", () => {
  const { said } = replay(recordedEvents());
  const turns = all(said, "usage.updated").filter(({ scope }) => scope === "turn");
  const sum = turns.reduce((total, { tokens }) => total + (tokens?.output ?? 0), 0);
  expect(all(said, "usage.updated").findLast(({ scope }) => scope === "session")?.tokens?.output).toBe(sum);
});

test.each(recordedMarks())("translates the part recorded under %s alone without breaking a law", (mark) => {
  expectLawful(replay(recordedEvents(mark)).seen);
});
