/** What models say they used, as our amounts: `input` without what the cache had, `output` with what was thought. */
import type { LanguageModelUsage } from "ai";
import type { Tokens } from "../../events/types.ts";
import type { UsageReading } from "../../protocols/usage.ts";

export function tokensOf(usage: LanguageModelUsage): Tokens {
  const { inputTokens = 0, outputTokens = 0, inputTokenDetails, outputTokenDetails } = usage;
  const cacheRead = amount(inputTokenDetails?.cacheReadTokens);
  const cacheWrite = amount(inputTokenDetails?.cacheWriteTokens);
  const thought = amount(outputTokenDetails?.reasoningTokens);
  const fresh = inputTokenDetails?.noCacheTokens ?? inputTokens - (cacheRead ?? 0) - (cacheWrite ?? 0);
  const output = Math.max(amount(outputTokens) ?? 0, thought ?? 0);
  return { input: Math.max(0, fresh), output, ...given({ cacheRead, cacheWrite, thought }) };
}

function amount(value: number | undefined): number | undefined {
  return value === undefined || !(value > 0) || value === Infinity ? undefined : value;
}

function given<Amounts extends Record<string, number | undefined>>(
  amounts: Amounts,
): Partial<Record<keyof Amounts, number>> {
  return Object.fromEntries(Object.entries(amounts).filter(([, value]) => value !== undefined)) as Partial<
    Record<keyof Amounts, number>
  >;
}

export function reading(model: string, tokens: Tokens): UsageReading {
  return { tokens, byModel: { [model]: tokens } };
}
