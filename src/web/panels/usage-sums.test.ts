import { expect, it } from "vitest";
import type { Usage } from "../../core/api.ts";
import { count } from "../../view/labels.ts";
import { byDay, byModel, costWords, since, total } from "./usage-sums.ts";

function row(day: string, agent: string, model: string, costUsd: number): Usage["rows"][number] {
  const tokens = { input: 10, output: 5, cacheRead: 3, cacheWrite: 2, thought: 1 };
  return { day, agent, model, turns: 1, tokens, costUsd, seconds: 2 };
}

const rows = [
  row("2026-11-14", "one", "small", 0.1),
  row("2026-11-16", "one", "small", 0.2),
  row("2026-11-16", "one", "large", 1),
  row("2026-11-16", "two", "", 0),
];

it("sums by agent and model, the most expensive first", () => {
  expect(byModel(rows).map(({ agent, model, turns }) => [agent, model, turns])).toEqual([
    ["one", "large", 1],
    ["one", "small", 2],
    ["two", "", 1],
  ]);
  expect(total(rows)).toMatchObject({ turns: 4, tokensIn: 60, tokensOut: 20, seconds: 8 });
});

it("includes days without usage", () => {
  expect(byDay(rows, 4, "2026-11-16").map(({ day, turns }) => `${day} ${turns}`)).toEqual([
    "2026-11-13 0",
    "2026-11-14 1",
    "2026-11-15 0",
    "2026-11-16 3",
  ]);
  expect(since(7, Date.parse("2026-11-16T23:00:00Z"))).toBe("2026-11-10");
});

it("shows an unknown price as unknown, not as zero", () => {
  const { costUsd: _none, ...free } = row("2026-11-16", "two", "", 0);
  const unpriced = [{ ...free, unpriced: 1 }];
  expect(costWords(total(unpriced))).toBe("unknown");
  expect(costWords(total([...rows, ...unpriced]))).toBe("$1.30 + unknown");
  expect(costWords(total(rows))).toBe("$1.30");
});

it("says one turn, and several turns", () => {
  expect([0, 1, 2].map((turns) => count(turns, "turn"))).toEqual(["0 turns", "1 turn", "2 turns"]);
});
