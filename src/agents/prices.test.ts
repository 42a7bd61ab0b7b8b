import { expect, test } from "vitest";
import { costOf, pricesOf } from "./prices.ts";

test("a million of each costs what the list says, whatever the model is called", () => {
  const million = 1_000_000;
  expect(costOf("claude-opus-5-5", { input: million, output: million })).toBe(24);
  expect(costOf("anthropic/claude-opus-5.5", { input: 0, output: 0, cacheRead: million, cacheWrite: million })).toBe(
    5.2,
  );
  expect(costOf("gpt-5.5", { input: 1000, output: 100, thought: 50 })).toBeCloseTo(0.008);
  expect(costOf("gemini-2.5-flash", { input: 0, output: 0, cacheWrite: million })).toBe(0.3);
});

test("a model that is not in the list has no price", () => {
  expect(costOf("some-other", { input: 1, output: 1 })).toBeUndefined();
  expect(costOf("constructor", { input: 1, output: 1 })).toBeUndefined();
  expect(costOf("", { input: 1, output: 1 })).toBeUndefined();
});

test("the list has a day", () => expect(pricesOf).toMatch(/^\d{4}-\d\d-\d\d$/));
