import { expect, it } from "vitest";
import type { AgentEventOf } from "../../events/types.ts";
import { UsageSums } from "./usage-sums.ts";

type UsageEvent = AgentEventOf<"usage.updated">;
const told = (scope: UsageEvent["scope"], input: number, output: number, costUsd?: number): UsageEvent => ({
  type: "usage.updated",
  scope,
  tokens: { input, output },
  costUsd,
});
const figures = ({ tokens, costUsd }: UsageEvent) => [tokens?.input, tokens?.output, costUsd];

it("passes the figures of a single agent unchanged", () => {
  const sums = new UsageSums();
  sums.startTurn();
  for (const event of [told("turn", 5, 1), told("session", 50, 10), told("session", 2, 1)])
    expect(sums.told("a", event)).toBe(event);
  expect(sums.ofTurn({ usage: { input: 5, output: 1 }, costUsd: 1 })).toEqual({
    usage: { input: 5, output: 1 },
    costUsd: 1,
  });
});

it("adds the usage of earlier agents to a turn", () => {
  const sums = new UsageSums();
  sums.startTurn();
  sums.told("a", told("turn", 100, 20, 0.5));
  sums.suspendTurn();
  expect(figures(sums.told("b", told("turn", 10, 2, 0.25)))).toEqual([110, 22, 0.75]);
  sums.suspendTurn();
  expect(figures(sums.told("c", { ...told("turn", 1, 1), byModel: {} }))).toEqual([111, 23, undefined]);
  expect(sums.ofTurn({ usage: { input: 2, output: 2, thought: 1 } })).toEqual({
    usage: { input: 112, output: 24, thought: 1 },
    costUsd: undefined,
  });
  expect(sums.ofTurn({})).toEqual({});
  sums.startTurn();
  expect(sums.ofTurn({ usage: { input: 2, output: 2 } })).toEqual({ usage: { input: 2, output: 2 } });
});

it("uses final figures of an agent, and counts nothing twice when no agent continues", () => {
  const sums = new UsageSums();
  sums.startTurn();
  sums.told("a", told("turn", 100, 20));
  sums.suspendTurn({ usage: { input: 120, output: 30 }, costUsd: 1 });
  expect(figures(sums.told("b", told("turn", 10, 2, 1)))).toEqual([130, 32, 2]);
  sums.startTurn();
  sums.told("a", told("turn", 100, 20));
  sums.suspendTurn({ usage: { input: 120, output: 30 } });
  sums.resumeTurn();
  expect(sums.ofTurn({ usage: { input: 120, output: 30 } })).toEqual({ usage: { input: 120, output: 30 } });
});

it("adds up all agents of a session, whether a returning agent continues or restarts its count", () => {
  const sums = new UsageSums();
  sums.told("a", told("session", 100, 20));
  expect(figures(sums.told("b", told("session", 10, 2)))).toEqual([110, 22, undefined]);
  expect(figures(sums.told("a", told("session", 130, 25)))).toEqual([140, 27, undefined]);
  expect(figures(sums.told("a", told("session", 5, 1)))).toEqual([145, 28, undefined]);
});

it("continues from the figures of an earlier process", () => {
  const sums = new UsageSums();
  sums.restore("a", told("session", 100, 20, 1));
  sums.restore("b", told("session", 110, 22, 1.5));
  expect(figures(sums.told("b", told("session", 15, 3, 0.75)))).toEqual([115, 23, 1.75]);
});

it("accepts a cost without tokens and ignores subagents", () => {
  const sums = new UsageSums();
  sums.told("a", told("session", 100, 20, 1));
  expect(figures(sums.told("b", { type: "usage.updated", scope: "session", costUsd: 0.5 }))).toEqual([100, 20, 1.5]);
  const inner: UsageEvent = { ...told("session", 1, 1), parent: "c" };
  expect(sums.told("b", inner)).toBe(inner);
});
