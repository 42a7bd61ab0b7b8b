/**
 * What models cost, for agents that tell tokens and no dollars: list prices in US dollars for a million tokens, as on the day below. Makers
 * change them, plans and long contexts have others; a figure that was worked out from them says so (`costSource: "prices"`).
 */
import type { Tokens } from "../events/types.ts";
import { unifiedModel } from "./models.ts";

/** When these were the prices: the day of the model list of pi-ai 0.87.1, from which they are taken. */
export const pricesOf = "2026-11-15";

interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  /** Where the maker asks nothing for it, it costs what `input` costs. */
  readonly cacheWrite?: number;
}

/** By unified name. A model that is not here has no price. */
const prices: Readonly<Record<string, Price>> = {
  "claude-opus-5-5": { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 },
  "gpt-6-astra": { input: 10, output: 50, cacheRead: 1, cacheWrite: 12.5 },
  "gpt-6-luna": { input: 0.1, output: 0.5, cacheRead: 0.01, cacheWrite: 0.125 },
  "gpt-5.5": { input: 5, output: 30, cacheRead: 0.5 },
  "gemini-3.1-pro-preview": { input: 2, output: 12, cacheRead: 0.2 },
  "gemini-3.5-flash": { input: 1.5, output: 9, cacheRead: 0.15 },
  "gemini-3.5-flash-lite": { input: 0.3, output: 2.5, cacheRead: 0.03 },
  "gemini-2.5-pro": { input: 1.25, output: 10, cacheRead: 0.125 },
  "gemini-2.5-flash": { input: 0.3, output: 2.5, cacheRead: 0.03 },
  "qwen3-coder-plus": { input: 0.65, output: 3.25, cacheRead: 0.13, cacheWrite: 0.8125 },
};

/** In US dollars; undefined where the model has no price here. `output` includes what was thought. */
export function costOf(model: string, { input, output, cacheRead = 0, cacheWrite = 0 }: Tokens): number | undefined {
  const id = unifiedModel(model)?.id ?? model;
  const price = Object.hasOwn(prices, id) ? prices[id] : undefined;
  if (price === undefined) return undefined;
  const written = price.cacheWrite ?? price.input;
  const total = input * price.input + output * price.output + cacheRead * price.cacheRead + cacheWrite * written;
  return total / 1_000_000;
}
