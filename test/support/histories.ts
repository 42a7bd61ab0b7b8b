/** Random lawful histories of a session, for property tests of code that reads events. */
import { fc } from "./fast-check.ts";
import type { EventOf, EventPayload, Outcome, ReinsEvent } from "../../src/events/types.ts";
import { outcomes } from "../../src/events/schema/turn.ts";
import { toolKinds } from "../../src/events/tools.ts";

type Step =
  | {
      readonly do: "say" | "think";
      readonly pieces: readonly string[];
      readonly end: "streamed" | "whole" | "discarded";
    }
  | {
      readonly do: "tool";
      readonly tool: keyof typeof toolKinds;
      readonly asked: "no" | "allowed" | "denied" | "cancelled";
      readonly progress: readonly string[];
      readonly path: string | undefined;
      readonly op: EventOf<"file.changed">["op"];
      readonly ok: boolean;
      readonly inner: readonly Step[];
    }
  | {
      readonly do: "together";
      readonly first: readonly Step[];
      readonly second: readonly Step[];
      readonly order: readonly boolean[];
    }
  | { readonly do: "ask"; readonly answered: boolean }
  | { readonly do: "task"; readonly ends: boolean }
  | { readonly do: "use"; readonly input: number; readonly output: number; readonly thought: number }
  | { readonly do: "other"; readonly event: EventPayload };

interface TurnSpec {
  readonly origin: "prompt" | "agent";
  readonly prompt: string;
  readonly steps: readonly Step[];
  readonly outcome: Outcome;
  readonly usage: boolean;
  readonly after: readonly EventPayload[];
  readonly newLeg: boolean;
}

const error = { code: "network", message: "The connection was cut.", retryable: true } as const;
const words = fc.constantFrom("a", "b ", "c\n", "Hello", " wörld", "```\n", "😀", "");
const pieces = fc.array(words, { minLength: 1, maxLength: 4 });
const path = fc.constantFrom("a.ts", "src/b.ts", "c.md");

const others: fc.Arbitrary<EventPayload> = fc.constantFrom<EventPayload>(
  { type: "turn.phase", phase: "model" },
  { type: "input.added", text: "and this", how: "steer" },
  {
    type: "plan.updated",
    entries: [
      { text: "one", status: "in_progress" },
      { text: "two", status: "pending", priority: "low" },
    ],
  },
  { type: "agent.retrying", attempt: 1, ofMax: 3, delayMs: 500, error },
  { type: "context.compacted", trigger: "auto", before: 1000, after: 10 },
);
const anywhere: fc.Arbitrary<EventPayload> = fc.constantFrom<EventPayload>(
  { type: "notice", level: "warning", code: "stderr", message: "something odd" },
  {
    type: "limit.updated",
    window: "5 hours",
    usedPercent: 80,
    status: "warning",
    resetsAt: "2026-11-15T20:00:00.000Z",
  },
  { type: "session.updated", title: "A title", by: "agent" },
  { type: "process.exited", code: 0, signal: null, stderrTail: "" },
);

const { step } = fc.letrec<{ step: Step; leaf: Step; tool: Step }>((tie) => ({
  leaf: fc.oneof(
    fc.record({
      do: fc.constantFrom("say" as const, "think" as const),
      pieces,
      end: fc.constantFrom("streamed" as const, "whole" as const, "discarded" as const),
    }),
    fc.record({ do: fc.constant("ask" as const), answered: fc.boolean() }),
    fc.record({ do: fc.constant("task" as const), ends: fc.boolean() }),
    fc.record({
      do: fc.constant("use" as const),
      input: fc.nat(100),
      output: fc.integer({ min: 10, max: 100 }),
      thought: fc.nat(10),
    }),
    fc.record({ do: fc.constant("other" as const), event: fc.oneof(others, anywhere) }),
  ),
  tool: fc.record({
    do: fc.constant("tool" as const),
    tool: fc.constantFrom("edit" as const, "shell" as const, "task" as const, "mcp" as const),
    asked: fc.constantFrom("no" as const, "allowed" as const, "denied" as const, "cancelled" as const),
    progress: fc.array(words, { maxLength: 2 }),
    path: fc.option(path, { nil: undefined }),
    op: fc.constantFrom("create" as const, "modify" as const, "delete" as const, "move" as const),
    ok: fc.boolean(),
    inner: fc.array(tie("step"), { maxLength: 2, depthIdentifier: "steps" }),
  }),
  step: fc.oneof(
    { depthIdentifier: "steps", depthSize: "small" },
    { arbitrary: tie("leaf"), weight: 3 },
    { arbitrary: tie("tool"), weight: 3 },
    {
      arbitrary: fc.record({
        do: fc.constant("together" as const),
        first: fc.array(tie("tool"), { maxLength: 2, depthIdentifier: "steps" }),
        second: fc.array(tie("tool"), { maxLength: 2, depthIdentifier: "steps" }),
        order: fc.array(fc.boolean(), { maxLength: 12 }),
      }),
      weight: 1,
    },
  ),
}));

const turn: fc.Arbitrary<TurnSpec> = fc.record({
  origin: fc.constantFrom("prompt" as const, "agent" as const),
  prompt: words,
  steps: fc.array(step, { maxLength: 6 }),
  outcome: fc.constantFrom<Outcome>("done", ...outcomes),
  usage: fc.boolean(),
  after: fc.array(anywhere, { maxLength: 2 }),
  newLeg: fc.boolean(),
});

export const history: fc.Arbitrary<ReinsEvent[]> = fc
  .record({ turns: fc.array(turn, { minLength: 1, maxLength: 4 }), startsInTurn: fc.boolean() })
  .map(({ turns, startsInTurn }) => new Writer().write(turns, startsInTurn));

/** Adds envelopes to events in the given order; existing envelopes are renumbered. */
export function stamp(events: readonly (EventPayload & { turnId?: string | undefined })[]): ReinsEvent[] {
  return events.map((event, index) => {
    const time = new Date(Date.UTC(2026, 10, 15) + index).toISOString();
    return { agent: "demo", sessionId: "session_1", ...event, v: 1, seq: index + 1, time } as ReinsEvent;
  });
}

class Writer {
  #ids = 0;
  readonly #events: (EventPayload & { turnId?: string | undefined })[] = [];
  readonly #running: string[] = [];
  readonly #session = { input: 0, output: 0 };
  #used = { input: 0, output: 0, thought: 0 };

  write(turns: readonly TurnSpec[], startsInTurn: boolean): ReinsEvent[] {
    const leg: EventPayload = { type: "session.started", mode: "ask", cwd: "/work", resumed: false, state: "state_1" };
    if (!startsInTurn) this.#events.push(leg);
    turns.forEach((spec, index) => this.#turn(spec, startsInTurn && index === 0 ? leg : undefined));
    return stamp(this.#events);
  }

  #turn(spec: TurnSpec, leg: EventPayload | undefined): void {
    const turnId = this.#id("turn");
    this.#used = { input: 0, output: 0, thought: 0 };
    const cause = this.#running.at(-1);
    const inside: EventPayload[] = [
      spec.origin === "prompt" || cause === undefined
        ? { type: "turn.started", origin: "prompt", input: { text: spec.prompt } }
        : { type: "turn.started", origin: "agent", cause },
      ...(leg === undefined ? [] : [leg]),
      ...spec.steps.flatMap((each) => this.#step(each, undefined)),
    ];
    if (spec.usage) inside.push({ type: "usage.updated", scope: "turn", tokens: { ...this.#used }, costUsd: 0.01 });
    this.#session.input += this.#used.input;
    this.#session.output += this.#used.output;
    inside.push(
      { type: "usage.updated", scope: "session", tokens: { ...this.#session } },
      this.#completed(spec, inside),
    );
    this.#events.push(...inside.map((event) => ({ ...event, turnId })), ...spec.after);
    if (!spec.newLeg) return;
    this.#events.push(
      { type: "agent.switched", from: "demo", to: "demo", reason: "requested" },
      { type: "session.started", mode: "full", cwd: "/work", resumed: true },
      { type: "session.updated", state: this.#id("state"), by: "agent" },
    );
  }

  #completed(spec: TurnSpec, inside: readonly EventPayload[]): EventPayload {
    const said = inside.filter((event) => event.type === "message.completed" && event.parent === undefined);
    const files = new Set(inside.flatMap((event) => (event.type === "file.changed" ? [event.path] : [])));
    const failed = ["failed", "refused", "budget", "interrupted"].includes(spec.outcome);
    return {
      type: "turn.completed",
      outcome: spec.outcome,
      ...(failed ? { error } : {}),
      text: (said.at(-1) as EventOf<"message.completed"> | undefined)?.text ?? "",
      ...(spec.usage ? { usage: { ...this.#used }, costUsd: 0.01 } : {}),
      durationMs: 12,
      toolCalls: inside.filter((event) => event.type === "tool.started").length,
      filesChanged: [...files],
      ...(this.#running.length > 0 ? { background: [...this.#running] } : {}),
      state: "state_1",
    };
  }

  #step(step: Step, parent: string | undefined): EventPayload[] {
    const by = parent === undefined ? {} : { parent };
    switch (step.do) {
      case "say":
      case "think":
        return this.#words(step, by);
      case "tool":
        return this.#tool(step, by);
      case "together":
        return merge(
          step.first.flatMap((each) => this.#step(each, parent)),
          step.second.flatMap((each) => this.#step(each, parent)),
          step.order,
        );
      case "ask": {
        const requestId = this.#id("question");
        const questions = [
          { id: "q1", text: "Which?", options: [{ label: "This" }, { label: "That" }], multiple: false },
        ];
        return [
          { type: "question.requested", requestId, questions, ...by },
          step.answered
            ? {
                type: "question.resolved",
                requestId,
                outcome: "answered",
                answers: { q1: "This" },
                by: "person",
                ...by,
              }
            : { type: "question.resolved", requestId, outcome: "skipped", by: "deadline", ...by },
        ];
      }
      case "task": {
        const taskId = this.#id("task");
        const started: EventPayload = {
          type: "task.started",
          taskId,
          kind: "shell",
          title: "Watch",
          status: "running",
          ...by,
        };
        if (step.ends)
          return [started, { type: "task.updated", taskId, status: "completed", summary: "It ended.", ...by }];
        this.#running.push(taskId);
        return [started];
      }
      case "use":
        this.#used.input += step.input;
        this.#used.output += step.output;
        this.#used.thought += step.thought;
        return parent === undefined ? [{ type: "usage.updated", scope: "turn", tokens: { ...this.#used } }] : [];
      case "other":
        return [{ ...step.event, ...by }];
    }
  }

  #words(step: Extract<Step, { pieces: unknown }>, by: { parent?: string }): EventPayload[] {
    const messageId = this.#id("message");
    // Make every message unique, so that none looks like a repetition.
    const parts = [...step.pieces, messageId];
    const name = step.do === "say" ? "message" : "thought";
    const deltas = parts.map((text): EventPayload => ({ type: `${name}.delta`, messageId, text, ...by }));
    if (step.end === "discarded") return [...deltas, { type: "message.discarded", messageId, reason: "retry", ...by }];
    const completed: EventPayload = { type: `${name}.completed`, messageId, text: parts.join(""), ...by };
    return step.end === "whole" ? [completed] : [...deltas, completed];
  }

  #tool(step: Extract<Step, { do: "tool" }>, by: { parent?: string }): EventPayload[] {
    const callId = this.#id("call");
    const { tool } = step;
    const started: EventPayload = {
      type: "tool.started",
      callId,
      tool,
      nativeName: tool,
      kind: toolKinds[tool],
      title: `Use ${tool}`,
      input: {},
      ...by,
    };
    const failed = (reason: EventOf<"tool.failed">["reason"]): EventPayload => ({
      type: "tool.failed",
      callId,
      error: { message: "It did not work." },
      reason,
      ...by,
    });
    const asked = this.#asked(step.asked, started, by);
    if (step.asked === "denied" || step.asked === "cancelled") return [started, ...asked, failed(step.asked)];
    const changed: EventPayload[] =
      step.path === undefined
        ? []
        : [
            {
              type: "file.changed",
              path: step.path,
              op: step.op,
              added: 1,
              removed: 0,
              callId,
              ...(step.op === "move" ? { oldPath: "old" } : {}),
              ...by,
            },
          ];
    const output = { text: "out", bytes: 3, kept: 3 };
    return [
      started,
      ...asked,
      ...step.progress.map((piece): EventPayload => ({ type: "tool.progress", callId, output: piece, ...by })),
      ...step.inner.flatMap((each) => this.#step(each, callId)),
      step.ok ? { type: "tool.completed", callId, output, durationMs: 3, ...by } : failed("error"),
      ...changed,
    ];
  }

  #asked(
    asked: "no" | "allowed" | "denied" | "cancelled",
    started: EventPayload,
    by: { parent?: string },
  ): EventPayload[] {
    if (asked === "no") return [];
    const { callId, tool, title, input } = started as EventOf<"tool.started">;
    const requestId = this.#id("permission");
    const options = [
      { id: "yes", kind: "allow_once" as const, label: "Yes" },
      { id: "no", kind: "reject_once" as const, label: "No" },
    ];
    const optionId = asked === "allowed" ? { optionId: "yes" } : asked === "denied" ? { optionId: "no" } : {};
    return [
      { type: "permission.requested", requestId, callId, tool, title, input, options, ...by },
      {
        type: "permission.resolved",
        requestId,
        outcome: asked,
        by: asked === "cancelled" ? "cancel" : "person",
        ...optionId,
        ...by,
      },
    ];
  }

  #id(kind: string): string {
    return `${kind}_${++this.#ids}`;
  }
}

function merge<Item>(first: readonly Item[], second: readonly Item[], order: readonly boolean[]): Item[] {
  const [a, b] = [[...first], [...second]];
  const merged: Item[] = [];
  for (let turn = 0; a.length > 0 && b.length > 0; turn++)
    merged.push(...(order[turn % order.length] === true ? a : b).splice(0, 1));
  return [...merged, ...a, ...b];
}
