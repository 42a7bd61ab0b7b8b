/**
 * Costs of models, for agents that report tokens and no dollars, by list prices of the day of the list. Plans and long contexts have other
 * prices; a figure from here is marked (`costSource: "prices"`).
 */
import type { Tokens } from "../events/types.ts";
import { unifiedModel } from "./models.ts";
import { listedModel } from "./shared/model-list.ts";

export { listDay as pricesOf } from "./shared/model-list.generated.ts";

/** In US dollars; undefined where the list has no price. `output` includes thoughts. */
export function costOf(model: string, { input, output, cacheRead = 0, cacheWrite = 0 }: Tokens): number | undefined {
  const price = listedModel(unifiedModel(model)?.id ?? model)?.price;
  if (price === undefined) return undefined;
  // Without a price for cached input, it costs as much as other input.
  const read = cacheRead * (price.cacheRead || price.input);
  const written = cacheWrite * (price.cacheWrite || price.input);
  return (input * price.input + output * price.output + read + written) / 1_000_000;
}
