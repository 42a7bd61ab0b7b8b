/** Usage of OpenCode: each step of the model reports its own tokens and cost, including subagents and summaries. */
import { record } from "../../protocols/json.ts";
import {
  contextOf,
  noTokens,
  positive,
  tokensFrom,
  total,
  UsageCounter,
  type UsageReading,
} from "../../protocols/usage.ts";

export class Usage extends UsageCounter {
  contextSizes: ReadonlyMap<string, number> = new Map();

  constructor() {
    super({ tokens: noTokens, costUsd: 0 });
  }

  /** `fills`: the step belongs to the main conversation, so its tokens fill the context. */
  step(figures: unknown, cost: unknown, model: string, fills: boolean): void {
    const { tokens, costUsd } = readingOf(figures, cost);
    this.add({ tokens, byModel: { [model]: tokens }, costUsd });
    if (fills) this.context = contextOf(total(tokens), this.contextSizes.get(model));
  }
}

/** OpenCode counts thinking separately from the output. */
export function readingOf(figures: unknown, cost: unknown): UsageReading {
  const { input, output, reasoning: thought, cache } = record(figures);
  const { read: cacheRead, write: cacheWrite } = record(cache);
  const tokens = tokensFrom({ input, output: positive(output) + positive(thought), cacheRead, cacheWrite, thought });
  return { tokens, costUsd: positive(cost) };
}
