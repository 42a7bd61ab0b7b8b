import { describe, expect, test } from "vitest";
import { fc } from "../../test/support/fast-check.ts";
import type { AgentEvent, Tokens } from "../events/types.ts";
import { CumulativeUsage, noTokens, tokensFrom, total, UsageCounter, type UsageReading } from "./usage.ts";

const scopes = (events: readonly AgentEvent[]) => events.map((event) => "scope" in event && event.scope);
const used = (input: number, output: number, more: Partial<UsageReading> = {}): UsageReading => ({
  tokens: { input, output },
  ...more,
});

describe("turns and the session", () => {
  test("sums the answers of a turn, and the turns of a session", () => {
    const counter = new UsageCounter({ tokens: noTokens, byModel: {}, costUsd: 0 });
    counter.context = { used: 7 };
    counter.add(used(1, 2, { byModel: { a: { input: 1, output: 2 } }, costUsd: 0.1 }));
    counter.add(used(10, 20, { byModel: { b: { input: 10, output: 20 } }, costUsd: 0.2 }));
    expect(counter.turn.costUsd).toBe(0.3);
    expect(counter.turnEnded()).toMatchObject({ tokens: { input: 11, output: 22 }, costUsd: 0.3 });
    counter.add(used(1, 1, { byModel: { a: { input: 1, output: 1 } }, costUsd: 0 }));
    expect(counter.turnEnded().events).toMatchObject([
      { scope: "turn", tokens: { input: 1, output: 1 }, byModel: { a: { input: 1 } }, context: { used: 7 } },
      {
        scope: "session",
        tokens: { input: 12, output: 23 },
        byModel: { a: { input: 2, output: 3 }, b: { input: 10, output: 20 } },
        costUsd: 0.3,
        costSource: "agent",
      },
    ]);
  });

  test("reports no unknown session total, and models only if all are known", () => {
    const unknown = new UsageCounter();
    unknown.add(used(1, 1));
    expect(scopes(unknown.turnEnded().events)).toEqual(["turn"]);
    const resumed = new UsageCounter();
    resumed.resumed(used(100, 100));
    resumed.add(used(1, 1, { byModel: { a: { input: 1, output: 1 } } }));
    const [, session] = resumed.turnEnded().events;
    expect(session).toMatchObject({ tokens: { input: 101, output: 101 }, byModel: undefined });
  });

  test("makes the sum unknown for an unknown cost, but not for an empty report", () => {
    const counter = new UsageCounter({ tokens: noTokens, costUsd: 0 });
    counter.add({ tokens: noTokens });
    counter.add(used(1, 1, { costUsd: 1 }));
    expect(counter.turnEnded().costUsd).toBe(1);
    counter.add(used(1, 1));
    counter.add(used(1, 1, { costUsd: 1 }));
    expect(counter.turnEnded()).toMatchObject({ costUsd: undefined, events: [{}, { costUsd: undefined }] });
  });

  test("reports nothing for a turn without tokens, and adds amounts outside a turn to the session only", () => {
    const counter = new UsageCounter({ tokens: noTokens });
    expect(counter.turnEnded()).toEqual({ tokens: undefined, costUsd: undefined, events: [] });
    counter.add(used(1, 1));
    expect(scopes(counter.turnEnded(false).events)).toEqual(["session"]);
  });

  test("keeps the amounts of a continued turn and counts them once for the session", () => {
    const counter = new UsageCounter({ tokens: noTokens });
    counter.add(used(1, 1));
    counter.turnEnded();
    counter.continueTurn();
    counter.add(used(2, 2));
    expect(counter.turnEnded().events).toMatchObject([
      { scope: "turn", tokens: { input: 3 } },
      { scope: "session", tokens: { input: 3 } },
    ]);
  });
});

describe("running totals", () => {
  test("reports the increase since the last total, and nothing for the first total", () => {
    const reading = new CumulativeUsage();
    expect(reading.since(used(5, 5))).toBeUndefined();
    expect(reading.since(used(7, 6, { costUsd: 1 }))).toEqual({ tokens: { input: 2, output: 1 }, costUsd: undefined });
    expect(reading.since(used(7, 6))?.costUsd).toBeUndefined();
    expect(reading.since(used(7, 6, { costUsd: 1.1 }))?.costUsd).toBe(0.1);
  });

  test("counts a total that fell as new, unless the baseline is from another process", () => {
    const reading = new CumulativeUsage({ tokens: noTokens, costUsd: 0 });
    reading.startAt(used(1000, 1000));
    reading.since(used(100, 10, { costUsd: 3 }));
    expect(reading.since(used(20, 12, { costUsd: 2 }))).toEqual({ tokens: { input: 20, output: 12 }, costUsd: 2 });
    const foreign = new CumulativeUsage();
    foreign.startAt(used(100, 10));
    expect(foreign.since(used(20, 12))).toBeUndefined();
    expect(foreign.since(used(21, 12))).toMatchObject({ tokens: { input: 1, output: 0 } });
  });
});

test("never reports negative figures or more thinking than output", () => {
  expect(tokensFrom({ input: -1, output: 5, thought: 9 })).toEqual({
    input: 0,
    output: 5,
    cacheRead: 0,
    cacheWrite: 0,
    thought: 5,
  });
  expect(total({ input: 1, output: 2, cacheRead: 4, cacheWrite: 8, thought: 2 })).toBe(15);
});

const amount = fc.nat(10_000);
const reading = fc
  .record({ input: amount, output: amount, cacheRead: amount, thought: amount, costUsd: amount })
  .map(({ costUsd, ...figures }): UsageReading => ({ tokens: tokensFrom(figures), costUsd: costUsd / 1000 }));
const step = fc.oneof(
  { weight: 3, arbitrary: reading },
  fc.constantFrom("ends" as const, "ends outside" as const, "goes on" as const),
);

test("never decreases within a scope, and the turns add up to the session", () => {
  fc.assert(
    fc.property(fc.array(step), fc.boolean(), (steps, cumulative) => {
      const counter = new UsageCounter({ tokens: noTokens, costUsd: 0 });
      const totals = new CumulativeUsage({ tokens: noTokens, costUsd: 0 });
      let all: Tokens = noTokens;
      let session: Tokens = noTokens;
      for (const one of steps) {
        if (one === "goes on") counter.continueTurn();
        else if (one === "ends" || one === "ends outside") {
          const { tokens, events } = counter.turnEnded(one === "ends");
          const told = events.find((event) => event.type === "usage.updated" && event.scope === "session");
          if (told?.type !== "usage.updated" || told.tokens === undefined) continue;
          expect(told.tokens).toMatchObject({ input: all.input, output: all.output });
          expect(total(told.tokens)).toBeGreaterThanOrEqual(total(session));
          expect(told.tokens.thought ?? 0).toBeLessThanOrEqual(told.tokens.output);
          expect(total(tokens!)).toBeLessThanOrEqual(total(told.tokens));
          session = told.tokens;
        } else {
          const grown = cumulative ? totals.since(one)! : one;
          expect(Object.values(grown.tokens).every((value) => (value ?? 0) >= 0)).toBe(true);
          expect(grown.costUsd).toBeGreaterThanOrEqual(0);
          counter.add(grown);
          all = { input: all.input + grown.tokens.input, output: all.output + grown.tokens.output };
        }
      }
    }),
  );
});
