import { describe, expect, test } from "vitest";
import { expectLawful } from "../../../test/support/lawful.ts";
import { defaultLimits } from "../../events/limits.ts";
import { createRedactor } from "../../events/redact.ts";
import type { AgentEvent, ReinsEvent } from "../../events/types.ts";
import { Recorder } from "./recorder.ts";

type Said = Exclude<AgentEvent, { type: "turn.ended" | "tool.held" }>;

/** The events of one turn. `batched` takes all at once, otherwise each one separately. */
function record(said: readonly Said[], batched: boolean): readonly ReinsEvent[] {
  const recorder = new Recorder({ sessionId: "s", redact: createRedactor({}), limits: defaultLimits });
  recorder.startLeg("a", { mode: "ask", cwd: "/w", resumed: false });
  const events: ReinsEvent[] = [];
  const take = (): void => void (batched || events.push(...recorder.take()));
  recorder.startTurn("t", { type: "turn.started", origin: "prompt", input: { text: "p" } });
  recorder.knowState("a:1:x");
  take();
  for (const event of said) {
    recorder.add(event);
    take();
  }
  recorder.endTurn({ outcome: "done" });
  return [...events, ...recorder.take()];
}

/** The phases, with a `!` when the agent reported it, and the types of the other events. */
function sequence(said: readonly Said[], batched = true): string {
  const events = record(said, batched);
  expectLawful(events);
  return events
    .slice(1, -1)
    .filter(({ type }) => type !== "session.started")
    .map((event) => (event.type === "turn.phase" ? event.phase + (event.synthetic === true ? "" : "!") : event.type))
    .join(" ");
}

const started = (callId: string, parent?: string): Said => ({
  ...{ type: "tool.started", callId, tool: "shell", nativeName: "Bash", kind: "execute" },
  ...{ title: "Run x", input: {}, parent },
});
const completed = (callId: string): Said => ({
  type: "tool.completed",
  callId,
  output: { text: "", bytes: 0, kept: 0 },
});
const asks = (requestId: string, callId = "c"): Said => ({
  ...{ type: "permission.requested", requestId, callId, tool: "shell", title: "Run x", input: {} },
  options: [],
});
const resolved = (requestId: string, by: "person" | "policy"): Said => ({
  type: "permission.resolved",
  requestId,
  outcome: "allowed",
  by,
});
const delta = (text: string, parent?: string): Said => ({
  type: "message.delta",
  messageId: `m${parent ?? ""}`,
  text,
  parent,
});
const retrying: Said = {
  type: "agent.retrying",
  attempt: 1,
  error: { code: "overloaded", message: "Overloaded.", retryable: true },
};

describe("the phase of a turn", () => {
  test("is the model from the start, and deltas add none", () => {
    expect(sequence([delta("one "), delta("two "), delta("three ")])).toBe(
      "model message.delta message.delta message.delta message.completed",
    );
  });

  test("is the tool while any call runs", () => {
    expect(sequence([started("c"), started("d"), completed("c"), completed("d"), delta("one ")])).toBe(
      "model tool.started tool tool.started tool.completed tool.completed model message.delta message.completed",
    );
  });

  test("is the person while a request waits, then the previous phase", () => {
    const said = [started("c"), asks("r"), asks("q"), resolved("r", "person"), resolved("q", "person"), completed("c")];
    expect(sequence(said)).toBe(
      "model tool.started tool permission.requested person permission.requested permission.resolved " +
        "permission.resolved tool tool.completed model",
    );
  });

  test("is not the person when a rule decides at once", () => {
    expect(sequence([started("c"), asks("r"), resolved("r", "policy")])).toBe(
      "model tool.started tool permission.requested permission.resolved tool.failed",
    );
  });

  test("is a retry until the agent continues, reported before its first text", () => {
    expect(sequence([retrying, delta("one "), delta("two ")])).toBe(
      "model agent.retrying retry model message.delta message.delta message.completed",
    );
    expect(sequence([retrying, { type: "thought.delta", messageId: "t", text: "one two " }])).toBe(
      "model agent.retrying retry model thought.delta thought.completed",
    );
  });

  test("is the agent's own report until it continues", () => {
    expect(
      sequence([
        { type: "turn.phase", phase: "compact" },
        { type: "context.compacted", trigger: "auto" },
        { type: "turn.phase", phase: "retry" },
        retrying,
        delta("one "),
      ]),
    ).toBe("model compact! context.compacted model retry! agent.retrying model message.delta message.completed");
  });

  test("ignores subagents", () => {
    expect(
      sequence([
        started("c"),
        { type: "turn.phase", phase: "model", parent: "c" },
        delta("one two ", "c"),
        completed("c"),
      ]),
    ).toBe("model tool.started tool model! message.delta tool.completed model message.completed");
  });

  test("adds nothing for events that close the turn", () => {
    expect(sequence([started("c"), asks("r")])).toBe(
      "model tool.started tool permission.requested person permission.resolved tool.failed",
    );
  });

  test("does not depend on batching", () => {
    const said = [
      started("c"),
      asks("r"),
      resolved("r", "person"),
      retrying,
      delta("one "),
      completed("c"),
      delta("two "),
    ];
    expect(sequence(said, false)).toBe(sequence(said, true));
  });

  test("starts again with the next turn", () => {
    const recorder = new Recorder({ sessionId: "s", redact: createRedactor({}), limits: defaultLimits });
    recorder.startLeg("a", { mode: "ask", cwd: "/w", resumed: false });
    for (const turn of ["t1", "t2"]) {
      recorder.startTurn(turn, { type: "turn.started", origin: "prompt", input: { text: "p" } });
      recorder.add(retrying);
      recorder.endTurn({ outcome: "done" });
    }
    const events = recorder.take();
    expectLawful(events);
    const phases = events.flatMap((event) => (event.type === "turn.phase" ? [`${event.turnId} ${event.phase}`] : []));
    expect(phases).toEqual(["t1 model", "t1 retry", "t2 model", "t2 retry"]);
  });
});
