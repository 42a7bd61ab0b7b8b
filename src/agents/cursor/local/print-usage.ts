/** What a turn used. What was read from a cache is not in `inputTokens`. */
import { record } from "../../../drivers/stream-json/read.ts";
import type { Tokens } from "../../../events/types.ts";
import { wholeNumber } from "./whole-number.ts";

const fields = {
  input: ["inputTokens", "input_tokens"],
  output: ["outputTokens", "output_tokens"],
  cacheRead: ["cacheReadTokens", "cache_read_tokens"],
  cacheWrite: ["cacheWriteTokens", "cache_write_tokens"],
} as const;

export function usageIn(value: unknown): Tokens | undefined {
  const usage = record(value);
  const amount = (names: readonly string[]): number | undefined =>
    names.map((name) => amountIn(usage[name])).find((found) => found !== undefined);
  const [input, output] = [amount(fields.input), amount(fields.output)];
  if (input === undefined && output === undefined) return undefined;
  const [cacheRead, cacheWrite] = [amount(fields.cacheRead), amount(fields.cacheWrite)];
  return {
    input: input ?? 0,
    output: output ?? 0,
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
  };
}

function amountIn(value: unknown): number | undefined {
  const amount = wholeNumber(value);
  return amount === undefined || amount < 0 ? undefined : amount;
}
