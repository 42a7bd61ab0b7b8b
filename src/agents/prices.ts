/**
 * What models cost, for agents that tell tokens and no dollars: list prices in US dollars for a million tokens, as on the day of the list. Makers
 * change them, plans and long contexts have others; a figure that was worked out from them says so (`costSource: "prices"`).
 */
import type { Tokens } from "../events/types.ts";
import { unifiedModel } from "./models.ts";
import { listedModel } from "./shared/model-list.ts";

export { listDay as pricesOf } from "./shared/model-list.generated.ts";

/** In US dollars; undefined where the model has no price in the list. `output` includes what was thought. */
export function costOf(model: string, { input, output, cacheRead = 0, cacheWrite = 0 }: Tokens): number | undefined {
  const price = listedModel(unifiedModel(model)?.id ?? model)?.price;
  if (price === undefined) return undefined;
  // Where the maker has no price for the cache, it costs what `input` costs.
  const read = cacheRead * (price.cacheRead || price.input);
  const written = cacheWrite * (price.cacheWrite || price.input);
  return (input * price.input + output * price.output + read + written) / 1_000_000;
}
