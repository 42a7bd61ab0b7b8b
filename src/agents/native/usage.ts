/** Converts the usage of models: `input` without the cache, `output` with thoughts. */
import type { LanguageModelUsage } from "ai";
import type { Tokens } from "../../events/types.ts";
import { positive, type UsageReading } from "../../protocols/usage.ts";

export function tokensOf(usage: LanguageModelUsage): Tokens {
  const { inputTokens = 0, outputTokens, inputTokenDetails, outputTokenDetails } = usage;
  const cacheRead = positive(inputTokenDetails?.cacheReadTokens);
  const cacheWrite = positive(inputTokenDetails?.cacheWriteTokens);
  const thought = positive(outputTokenDetails?.reasoningTokens);
  const tokens: Tokens = {
    input: positive(inputTokenDetails?.noCacheTokens ?? inputTokens - cacheRead - cacheWrite),
    output: Math.max(positive(outputTokens), thought),
  };
  // A zero is left out: the service may have no cache, or not think.
  for (const [name, amount] of Object.entries({ cacheRead, cacheWrite, thought }))
    if (amount > 0) tokens[name as keyof Tokens] = amount;
  return tokens;
}

export function reading(model: string, tokens: Tokens): UsageReading {
  return { tokens, byModel: { [model]: tokens } };
}
