import { describe, expect, test } from "vitest";
import { tokensIn, Usage } from "./usage.ts";

const result = (inputTokens: number, outputTokens: number, more: object = {}) => ({
  usage: { inputTokens, outputTokens, ...more },
});

test("excludes cached tokens from the input, whether or not the agent includes them", () => {
  expect(tokensIn({ inputTokens: 60, outputTokens: 20, totalTokens: 120, cachedReadTokens: 40 })).toEqual({
    input: 60,
    output: 20,
    cacheRead: 40,
  });
  expect(
    tokensIn({
      inputTokens: 100,
      outputTokens: 7,
      totalTokens: 107,
      cachedReadTokens: 10,
      cachedWriteTokens: 0,
      thoughtTokens: 9,
    }),
  ).toEqual({
    input: 90,
    output: 7,
    cacheRead: 10,
    cacheWrite: 0,
    thought: 7,
  });
  expect(tokensIn({ inputTokens: 1 })).toBeUndefined();
  expect(tokensIn({ inputTokens: -1, outputTokens: 2 })).toBeUndefined();
});

describe("running totals", () => {
  test("counts the growth since the session began", () => {
    const usage = new Usage({ counts: "session" }, false);
    expect(usage.turn(result(100, 10)).tokens).toEqual({ input: 100, output: 10 });
    expect(usage.turn(result(300, 15)).tokens).toEqual({ input: 200, output: 5 });
    expect(usage.turn(result(0, 0)).tokens).toBeUndefined();
    const { tokens, events } = usage.turn(result(310, 16));
    expect(tokens).toEqual({ input: 10, output: 1 });
    expect(events).toMatchObject([{ scope: "turn" }, { scope: "session", tokens: { input: 310, output: 16 } }]);
  });

  test("takes the first reading of a resumed session as the baseline", () => {
    const usage = new Usage({ counts: "session" }, true);
    expect(usage.turn(result(100, 10))).toEqual({ tokens: undefined, costUsd: undefined, events: [] });
    expect(usage.turn(result(150, 20))).toMatchObject({
      tokens: { input: 50, output: 10 },
      events: [{ scope: "turn" }],
    });
  });

  test("counts the growth since the process began, also after the total starts again", () => {
    const usage = new Usage({ counts: "process" }, true);
    expect(usage.turn(result(100, 10)).tokens).toEqual({ input: 100, output: 10 });
    expect(usage.turn(result(20, 2)).tokens).toEqual({ input: 20, output: 2 });
  });
});

test("reads tokens from another field with `tokens`", () => {
  const usage = new Usage({ counts: "turn", tokens: ({ n }) => ({ input: Number(n), output: 1 }) }, false);
  expect(usage.turn({ n: 5 }).tokens).toEqual({ input: 5, output: 1 });
});

test("counts the growth of the cost, and ignores another currency", () => {
  const usage = new Usage(undefined, false);
  const spent = (amount: number, currency?: string) => {
    usage.update({ used: 1, size: 0, cost: { amount, currency } });
    return usage.turn({}).costUsd;
  };
  // A cost that fell has started again from zero.
  expect([spent(0.1), spent(0.3, "USD"), spent(0.3), spent(0.2), spent(9, "EUR")]).toEqual([0.1, 0.2, 0, 0.2, 0]);
  const resumed = new Usage(undefined, true);
  resumed.update({ cost: { amount: 1 } });
  expect(resumed.turn({}).costUsd).toBeUndefined();
  resumed.update({ cost: { amount: 1.5 } });
  expect(resumed.turn({}).costUsd).toBe(0.5);
});

test("reports the fill level of the context when it changes", () => {
  const usage = new Usage(undefined, false);
  const told = { type: "usage.updated", scope: "session", context: { used: 5, size: 10 } };
  expect(usage.update({ used: 5, size: 10 })).toEqual([told]);
  expect(usage.update({ used: 5, size: 10, cost: { amount: 1 } })).toEqual([]);
  expect(usage.update({ used: 6 })).toMatchObject([{ context: { used: 6 } }]);
  expect(usage.update({})).toEqual([]);
});
