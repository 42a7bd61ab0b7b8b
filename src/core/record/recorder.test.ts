import { fc } from "../../../test/support/fast-check.ts";
import { describe, expect, test } from "vitest";
import { expectLawful } from "../../../test/support/lawful.ts";
import { defaultLimits } from "../../events/limits.ts";
import { createRedactor } from "../../events/redact.ts";
import type { AgentEvent, ReinsEvent } from "../../events/types.ts";
import { newTurnId, Recorder, type Ending } from "./recorder.ts";

type Said = Exclude<AgentEvent, { type: "turn.ended" | "tool.held" }>;

function recorder(inlineBytes = defaultLimits.inlineBytes): Recorder {
  const created = new Recorder({
    sessionId: "s",
    redact: createRedactor({ A_TOKEN: "tell-nobody" }),
    limits: { ...defaultLimits, inlineBytes, messageBytes: inlineBytes },
  });
  created.startLeg("a", { mode: "ask", cwd: "/w", resumed: false });
  return created;
}

function record(
  said: readonly Said[],
  ending: Ending = { outcome: "done" },
  inlineBytes?: number,
): readonly ReinsEvent[] {
  const made = recorder(inlineBytes);
  made.startTurn(newTurnId(), { type: "turn.started", origin: "prompt", input: { text: "p" } });
  made.knowState("a:1:x");
  for (const event of said) made.add(event);
  made.endTurn(ending);
  return made.take();
}

/** Skips the first two events and the phases, which phases.test.ts covers. */
const types = (events: readonly ReinsEvent[]) =>
  events
    .map((event) => event.type)
    .filter((type) => type !== "turn.phase")
    .slice(2);
const started = (callId: string): Said => ({
  type: "tool.started",
  callId,
  tool: "shell",
  nativeName: "Bash",
  kind: "execute",
  title: "Run x",
  input: {},
});
const completed = (callId: string, text = ""): Said => ({
  type: "tool.completed",
  callId,
  output: { text, bytes: text.length, kept: text.length },
});

describe("messages", () => {
  test("adds the missing delta when the whole text is longer than its deltas", () => {
    const events = record([
      { type: "message.delta", messageId: "m", text: "ab" },
      { type: "message.completed", messageId: "m", text: "abc" },
    ]);
    expect(types(events)).toEqual(["message.delta", "message.delta", "message.completed", "turn.completed"]);
    expect(events.at(-1)).toMatchObject({ text: "abc" });
    expectLawful(events);
  });

  test("discards deltas that the whole text contradicts", () => {
    const events = record([
      { type: "message.delta", messageId: "m", text: "ab" },
      { type: "message.completed", messageId: "m", text: "xyz" },
    ]);
    expect(types(events)).toEqual(["message.delta", "message.discarded", "message.completed", "turn.completed"]);
    expect(events.at(-1)).toMatchObject({ text: "xyz" });
    expectLawful(events);
  });

  test("ignores a repeated end", () => {
    const whole: Said = { type: "message.completed", messageId: "m", text: "ab" };
    expect(types(record([whole, whole, { type: "message.delta", messageId: "m", text: "late" }]))).toEqual([
      "message.completed",
      "turn.completed",
    ]);
  });

  test("cuts a long message, streamed or whole, and reports its length", () => {
    const pieces = Array.from({ length: 10 }, (): Said => ({
      type: "message.delta",
      messageId: "m",
      text: "é".repeat(100),
    }));
    for (const said of [
      pieces,
      [{ type: "message.completed", messageId: "m", text: "é".repeat(1000) } satisfies Said],
    ]) {
      const events = record(said, { outcome: "done" }, 301);
      expect(events.find((event) => event.type === "message.completed")).toMatchObject({
        bytes: 2000,
        kept: 300,
        text: "é".repeat(150),
      });
      expect(types(events)).toContain("notice");
      expectLawful(events);
    }
  });

  test("splits two simultaneous messages of one author into runs without loss", () => {
    const events = record([
      { type: "message.delta", messageId: "1", text: "one " },
      { type: "message.delta", messageId: "2", text: "two " },
      { type: "message.delta", messageId: "1", text: "more" },
      { type: "message.completed", messageId: "2", text: "two " },
      { type: "message.completed", messageId: "1", text: "one more" },
    ]);
    const said = events.filter((event) => event.type === "message.completed").map((event) => event.text);
    expect(said).toEqual(["one ", "two ", "more"]);
    expectLawful(events);
  });

  test("the turn's text is the last message without a parent", () => {
    const events = record([
      { type: "message.completed", messageId: "m1", text: "mine" },
      { type: "message.completed", messageId: "m2", text: "of a subagent", parent: "c" },
      { type: "thought.completed", messageId: "m3", text: "hm" },
    ]);
    expect(events.at(-1)).toMatchObject({ text: "mine" });
  });
});

describe("tools", () => {
  test("limits output of a running tool and hides secrets split over pieces", () => {
    const events = record(
      [
        started("c"),
        { type: "tool.progress", callId: "c", output: "a tell-", raw: "a tell-" },
        { type: "tool.progress", callId: "c", output: "nobody, ", raw: "nobody, " },
        { type: "tool.progress", callId: "c", title: "Run on", output: "x".repeat(100) },
        { type: "tool.progress", callId: "c", output: "more" },
        completed("c"),
        started("d"),
        { type: "tool.progress", callId: "d", output: "tell-" },
      ],
      undefined,
      30,
    );
    const progress = events.filter((event) => event.type === "tool.progress");
    expect(progress.map(({ callId, output, title, raw }) => [callId, output, title, raw])).toEqual([
      ["c", "a ", undefined, undefined],
      ["c", "[redacted], ", undefined, undefined],
      ["c", "x".repeat(16), "Run on", undefined],
      ["d", "tell-", undefined, undefined],
    ]);
    expectLawful(events);
  });

  test("treats a second start as progress, and ignores repeated and unknown ends", () => {
    const events = record([
      started("c"),
      started("c"),
      completed("c"),
      completed("c"),
      started("c"),
      completed("unknown"),
    ]);
    expect(types(events)).toEqual(["tool.started", "tool.progress", "tool.completed", "turn.completed"]);
    expect(events.at(-1)).toMatchObject({ toolCalls: 1 });
    expectLawful(events);
  });

  test("closes open calls with what is known", () => {
    const reasons = (ending: Ending) => record([started("c")], ending).find((event) => event.type === "tool.failed");
    expect(reasons({ outcome: "cancelled" })).toMatchObject({ reason: "cancelled", synthetic: true });
    expect(reasons({ outcome: "done" })).toMatchObject({ reason: "unfinished" });
  });

  test("reports a moved file in both places and as one change", () => {
    const told = recorder();
    told.startTurn("t", { type: "turn.started", origin: "prompt", input: { text: "" } });
    told.add({ type: "file.changed", path: "b", oldPath: "a", op: "move" });
    expect([...told.reportedFiles].toSorted()).toEqual(["a", "b"]);
    told.endTurn({ outcome: "done" });
    expect(told.take().at(-1)).toMatchObject({ filesChanged: ["b"] });
  });

  test("cuts and redacts a long output and reports its size", () => {
    const events = record(
      [started("c"), completed("c", `tell-nobody ${"x".repeat(100_000)}`)],
      { outcome: "done" },
      1000,
    );
    const output = events.find((event) => event.type === "tool.completed")?.output;
    // The last letter may be the first of a secret that was cut off.
    expect(output).toMatchObject({ bytes: 100_012, kept: 999 });
    expect(output?.text.startsWith("[redacted] xx")).toBe(true);
    expectLawful(events);
  });

  test("counts output that the agent itself cut", () => {
    const output = { text: "its beginning", bytes: 5_000, kept: 13 };
    const events = record([started("c"), { type: "tool.completed", callId: "c", output }]);
    expect(events.find((event) => event.type === "tool.completed")?.output).toEqual(output);
    expectLawful(events);
  });
});

test("hides a secret split over pieces in native pieces too", () => {
  const pieces = ["It is tell-no", "body.", " Really."];
  const said = pieces.map((text): Said => ({ type: "message.delta", messageId: "m", text, raw: { text } }));
  const raws = record(said).flatMap((event) => (event.type === "message.delta" ? [event.raw] : []));
  expect(raws).toEqual([undefined, undefined, { text: " Really." }]);
});

test("shows no part of a secret at the cut", () => {
  for (let before = 70; before < 110; before++) {
    const text = `${"tell-nobody ".repeat(2)}${"x".repeat(before)}tell-nobody ${"y".repeat(200)}`;
    const events = record(
      [started("c"), completed("c", text), { type: "message.completed", messageId: "m", text }],
      { outcome: "done" },
      100,
    );
    expect(JSON.stringify(events)).not.toMatch(/xtell/);
  }
});

test("sets an error exactly for outcomes that need one", () => {
  expect(record([], { outcome: "failed" }).at(-1)).toMatchObject({ error: { code: "internal" } });
  const error = { code: "overloaded", message: "busy", retryable: true } as const;
  expect(record([], { outcome: "done", error }).at(-1)).toMatchObject({ outcome: "done", error: undefined });
});

test("ignores an end without a turn", () => {
  const made = recorder();
  expect(made.endTurn({ outcome: "done" })).toBeUndefined();
  expect(made.take()).toEqual([]);
});

const id = fc.constantFrom("1", "2", "3");
const words = fc.string({ maxLength: 12 });
const parent = fc.option(id, { nil: undefined });
const anything: fc.Arbitrary<Said | "start" | Ending> = fc.oneof(
  fc.record({
    type: fc.constantFrom("message.delta", "thought.delta", "message.completed", "thought.completed"),
    messageId: id,
    text: words,
    parent,
  }),
  fc.record({ type: fc.constant("message.discarded"), messageId: id, reason: fc.constant("retry") }),
  id.map(started),
  fc.tuple(id, words).map(([callId, output]) => completed(callId, output)),
  fc.record({ type: fc.constant("tool.progress"), callId: id, output: words }),
  fc.record({
    type: fc.constant("tool.failed"),
    callId: id,
    error: fc.record({ message: words }),
    reason: fc.constantFrom("error", "denied"),
  }),
  fc.record({
    type: fc.constant("permission.requested"),
    requestId: id,
    callId: id,
    tool: fc.constant("edit"),
    title: words,
    input: fc.json(),
    options: fc.constant([]),
  }),
  fc.record({
    type: fc.constant("permission.resolved"),
    requestId: id,
    outcome: fc.constantFrom("allowed", "denied", "cancelled"),
    by: fc.constant("agent"),
  }),
  fc.record({
    type: fc.constant("question.requested"),
    requestId: id.map((one) => `q${one}`),
    questions: fc.constant([]),
  }),
  fc.record({
    type: fc.constant("question.resolved"),
    requestId: id.map((one) => `q${one}`),
    outcome: fc.constant("skipped"),
    by: fc.constant("agent"),
  }),
  fc.record({ type: fc.constant("task.updated"), taskId: id, status: fc.constantFrom("running", "completed") }),
  fc.record({ type: fc.constant("file.changed"), path: id, op: fc.constant("modify") }),
  fc.record({ type: fc.constant("turn.phase"), phase: fc.constant("model") }),
  fc.record({ type: fc.constant("notice"), level: fc.constant("info"), code: words, message: words }),
  fc.constant("start" as const),
  fc.record({ outcome: fc.constantFrom("done", "cancelled", "failed", "interrupted", "max_turns") }),
) as fc.Arbitrary<Said | "start" | Ending>;

test("produces lawful events for any input in any order", () => {
  fc.assert(
    fc.property(fc.array(anything, { maxLength: 60 }), fc.constantFrom(10, 50_000), (said, inlineBytes) => {
      const made = recorder(inlineBytes);
      made.knowState("a:1:x");
      for (const one of said) {
        if (one === "start") {
          if (made.turnId === undefined)
            made.startTurn(newTurnId(), { type: "turn.started", origin: "prompt", input: { text: "p" } });
        } else if ("outcome" in one && !("type" in one)) made.endTurn(one);
        else made.add(one as Said);
      }
      made.endTurn({ outcome: "done" });
      expectLawful(made.take());
    }),
    { numRuns: 500 },
  );
});
