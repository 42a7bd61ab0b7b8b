import { expect, test } from "vitest";
import { costOf, pricesOf } from "./prices.ts";

test("charges the list price for a million tokens of each kind, under every name of the model", () => {
  const million = 1_000_000;
  expect(costOf("claude-opus-5-5", { input: million, output: million })).toBe(24);
  expect(costOf("anthropic/claude-opus-5.5", { input: 0, output: 0, cacheRead: million, cacheWrite: million })).toBe(
    5.2,
  );
  expect(costOf("gpt-5.5", { input: 1000, output: 100, thought: 50 })).toBeCloseTo(0.008);
  expect(costOf("gemini-2.5-flash", { input: 0, output: 0, cacheWrite: million })).toBe(0.3);
});

test("has no price for a model that is not in the list", () => {
  expect(costOf("some-other", { input: 1, output: 1 })).toBeUndefined();
  expect(costOf("constructor", { input: 1, output: 1 })).toBeUndefined();
  expect(costOf("", { input: 1, output: 1 })).toBeUndefined();
});

test("keeps the known prices of the unified models", () => {
  const cost = (model: string) => costOf(model, { input: 1e6, output: 1e6, cacheRead: 1e6, cacheWrite: 1e6 });
  expect(cost("gpt-6-astra")).toBeCloseTo(73.5);
  expect(cost("gpt-6-luna")).toBeCloseTo(0.735);
  expect(cost("gpt-5.5")).toBeCloseTo(40.5);
  expect(cost("gemini-pro")).toBeCloseTo(16.2);
  expect(cost("gemini-3.5-flash")).toBeCloseTo(12.15);
  expect(cost("gemini-3.5-flash-lite")).toBeCloseTo(3.13);
  expect(cost("gemini-2.5-pro")).toBeCloseTo(12.625);
  expect(cost("qwen/qwen3-coder-plus")).toBeCloseTo(4.8425);
});

test("finds prices of other models by their maker", () => {
  expect(costOf("claude-haiku-4.5", { input: 1e6, output: 0 })).toBe(1);
  expect(costOf("anthropic/claude-haiku-4-5", { input: 1e6, output: 0 })).toBe(1);
  expect(costOf("somebody/claude-haiku-4-5", { input: 1e6, output: 0 })).toBeUndefined();
});

test("records the date of the list", () => expect(pricesOf).toMatch(/^\d{4}-\d\d-\d\d$/));
