/** Usage of pi: every answer of the model reports its own tokens and cost, including failed answers. */
import { record, text } from "../../protocols/json.ts";
import { contextOf, noTokens, positive, tokensFrom, UsageCounter, type UsageReading } from "../../protocols/usage.ts";

export class Usage extends UsageCounter {
  /** Context size of the current model in tokens. */
  contextSize: number | undefined;

  constructor() {
    super({ tokens: noTokens, costUsd: 0 });
  }

  /** Adds an answer of the model, or a model request of a tool or a summary. */
  answered(usage: unknown, model?: unknown): void {
    const tokens = tokensOf(usage);
    const name = text(model);
    const costUsd = positive(record(record(usage)["cost"])["total"]);
    this.add({ tokens, byModel: name === undefined ? undefined : { [name]: tokens }, costUsd });
  }

  filled(usage: unknown): void {
    const used = positive(record(usage)["totalTokens"]);
    if (used > 0) this.context = contextOf(used, this.contextSize);
  }
}

/** Usage of a resumed conversation, which pi sums up itself (`get_session_stats`). */
export function statsReading(stats: unknown): UsageReading {
  const { tokens, cost } = record(stats);
  return { tokens: tokensOf(tokens), costUsd: positive(cost) };
}

function tokensOf(usage: unknown) {
  const { input, output, cacheRead, cacheWrite, reasoning: thought } = record(usage);
  return tokensFrom({ input, output, cacheRead, cacheWrite, thought });
}
