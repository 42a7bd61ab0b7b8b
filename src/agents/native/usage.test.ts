import type { LanguageModelUsage } from "ai";
import { expect, test } from "vitest";
import { total, UsageCounter } from "../../protocols/usage.ts";
import { reading, tokensOf } from "./usage.ts";

const told = (input: object, output: object = {}, totals: object = {}): LanguageModelUsage =>
  ({ inputTokenDetails: input, outputTokenDetails: output, ...totals }) as LanguageModelUsage;

test.each([
  [
    told({ noCacheTokens: 10, cacheReadTokens: 5, cacheWriteTokens: 3 }, {}, { inputTokens: 18, outputTokens: 4 }),
    { input: 10, output: 4, cacheRead: 5, cacheWrite: 3 },
  ],
  [
    told({ cacheReadTokens: 5 }, { reasoningTokens: 2 }, { inputTokens: 15, outputTokens: 4 }),
    { input: 10, output: 4, cacheRead: 5, thought: 2 },
  ],
  [told({}, {}, { inputTokens: 15, outputTokens: 4 }), { input: 15, output: 4 }],
  // More thought than output, more from the cache than input: no service should report this, and sums must not become negative.
  [
    told({ cacheReadTokens: 50 }, { reasoningTokens: 9 }, { inputTokens: 15, outputTokens: 4 }),
    { input: 0, output: 9, cacheRead: 50, thought: 9 },
  ],
  [told({}), { input: 0, output: 0 }],
])("converts the usage %#", (usage, expected) => {
  expect(tokensOf(usage)).toEqual(expected);
});

test("adds up a turn by model, and starts the next at zero", () => {
  const usage = new UsageCounter();
  expect(usage.turnEnded().tokens).toBeUndefined();
  usage.add(reading("a", { input: 1, output: 2, cacheRead: 3 }));
  usage.add(reading("b", { input: 10, output: 20 }));
  usage.add(reading("a", { input: 1, output: 2 }));
  expect(usage.turnEvent).toMatchObject({
    scope: "turn",
    tokens: { input: 12, output: 24, cacheRead: 3 },
    byModel: { a: { input: 2, output: 4, cacheRead: 3 }, b: { input: 10, output: 20 } },
  });
  expect(usage.turnEnded().tokens).toEqual({ input: 12, output: 24, cacheRead: 3 });
  expect(usage.turnEnded().tokens).toBeUndefined();
});

test("fills the context with all input and output", () => {
  expect(total({ input: 1, output: 2, cacheRead: 4, cacheWrite: 8, thought: 2 })).toBe(15);
});
