/**
 * Usage over ACP. The protocol does not define whether the tokens of an answer are those of the turn or a running total, so the agent's
 * options do. `usage_update` has the fill level of the context and a cost that grows over the session.
 */
import { isDeepStrictEqual } from "node:util";
import type { AgentEvent, Tokens } from "../../events/types.ts";
import type { AcpUsage } from "./options.ts";
import { number, record, type JsonObject } from "../json.ts";
import { contextOf, CumulativeUsage, noTokens, total, UsageCounter, type TurnUsage } from "../usage.ts";

const none = { tokens: noTokens, costUsd: 0 };

export class Usage {
  readonly #how: AcpUsage | undefined;
  readonly #counter: UsageCounter;
  readonly #tokensRead: CumulativeUsage;
  readonly #costRead: CumulativeUsage;
  #cost: number | undefined;

  constructor(how: AcpUsage | undefined, resumed: boolean) {
    this.#how = how;
    this.#counter = new UsageCounter(resumed ? undefined : none);
    this.#tokensRead = new CumulativeUsage(resumed && how?.counts !== "process" ? undefined : none);
    this.#costRead = new CumulativeUsage(resumed ? undefined : none);
  }

  /** Handles `usage_update`. Returns an event if the context changed. */
  update(update: JsonObject): AgentEvent[] {
    const before = this.#counter.context;
    const context = contextOf(positive(update["used"]), positive(update["size"]) || undefined) ?? before;
    this.#counter.context = context;
    const { amount, currency } = record(update["cost"]);
    if (currency === undefined || currency === "USD") this.#cost = positive(amount) ?? this.#cost;
    return context === undefined || isDeepStrictEqual(before, context)
      ? []
      : [{ type: "usage.updated", scope: "session", context }];
  }

  turn(result: JsonObject): TurnUsage {
    const costUsd = this.#costRead.since({ tokens: noTokens, costUsd: this.#cost })?.costUsd;
    this.#counter.add({ tokens: this.#tokens(result) ?? noTokens, costUsd });
    return { ...this.#counter.turnEnded(), costUsd };
  }

  #tokens(result: JsonObject): Tokens | undefined {
    if (this.#how === undefined) return undefined;
    const tokens = this.#how.tokens === undefined ? tokensIn(record(result["usage"])) : this.#how.tokens(result);
    // A cancelled or refused request has no figures.
    if (tokens === undefined || total(tokens) === 0) return undefined;
    return this.#how.counts === "turn" ? tokens : this.#tokensRead.since({ tokens })?.tokens;
  }
}

/** Some agents include cached tokens in `inputTokens`; the total reveals that. */
export function tokensIn(usage: JsonObject): Tokens | undefined {
  const [input, output] = [positive(usage["inputTokens"]), positive(usage["outputTokens"])];
  if (input === undefined || output === undefined) return undefined;
  const [cacheRead, cacheWrite] = [positive(usage["cachedReadTokens"]), positive(usage["cachedWriteTokens"])];
  const thought = positive(usage["thoughtTokens"]);
  const cached = (cacheRead ?? 0) + (cacheWrite ?? 0);
  const within = usage["totalTokens"] === input + output && cached <= input;
  const tokens: Tokens = { input: within ? input - cached : input, output };
  if (cacheRead !== undefined) tokens.cacheRead = cacheRead;
  if (cacheWrite !== undefined) tokens.cacheWrite = cacheWrite;
  // Thinking is part of the output.
  if (thought !== undefined) tokens.thought = Math.min(thought, output);
  return tokens;
}

function positive(value: unknown): number | undefined {
  const found = number(value);
  return found === undefined || found < 0 ? undefined : found;
}
