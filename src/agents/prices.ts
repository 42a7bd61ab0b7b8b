/**
 * Costs of models, for agents that report tokens but no dollars. Uses list prices as of the date of the list. Plans and
 * long contexts cost differently, so a figure from here is marked `costSource: "prices"`.
 */
import type { Tokens } from "../events/types.ts";
import { unifiedModel } from "./models.ts";
import { listedModel } from "./shared/model-list.ts";

export { listDay as pricesOf } from "./shared/model-list.generated.ts";

/** In US dollars; undefined when the list has no price. `output` includes thinking tokens. */
export function costOf(model: string, { input, output, cacheRead = 0, cacheWrite = 0 }: Tokens): number | undefined {
  const price = listedModel(unifiedModel(model)?.id ?? model)?.price;
  if (price === undefined) return undefined;
  // Without a price of its own, cached input costs as much as other input.
  const read = cacheRead * (price.cacheRead || price.input);
  const written = cacheWrite * (price.cacheWrite || price.input);
  return (input * price.input + output * price.output + read + written) / 1_000_000;
}
