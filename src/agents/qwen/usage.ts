/**
 * Usage of Qwen Code. A result has the total of the conversation, with subagents, memory and earlier processes. It
 * returns to zero after `/clear`.
 */
import { isRecord, record } from "../../protocols/json.ts";
import type { Tokens } from "../../events/types.ts";
import { CumulativeUsage, noTokens, positive, total, UsageCounter, type TurnUsage } from "../../protocols/usage.ts";

export class Usage {
  readonly #counter: UsageCounter;
  readonly #reading: CumulativeUsage;

  constructor(resumed: boolean) {
    const start = resumed ? undefined : { tokens: noTokens };
    this.#counter = new UsageCounter(start);
    this.#reading = new CumulativeUsage(start);
  }

  began(tokens: Tokens): void {
    this.#reading.startAt({ tokens });
  }

  /** The usage in an answer of the main conversation shows how full the context is. */
  answered(usage: unknown): void {
    const used = total(tokensOf(usage));
    if (used > 0) this.#counter.context = { used };
  }

  /** A result that ends no turn adds to the session; one before the introduction only moves the reading. */
  turn(usage: unknown, { running, started }: { running: boolean; started: boolean }): TurnUsage {
    // Without this figure the turn failed before it began.
    const isReading = isRecord(usage) && usage["cache_read_input_tokens"] !== undefined;
    const amount = isReading ? this.#reading.since({ tokens: tokensOf(usage) }) : undefined;
    if (amount !== undefined && started) this.#counter.add(amount);
    const ended = this.#counter.turnEnded(running);
    return running ? ended : { ...ended, tokens: undefined };
  }
}

/** Qwen's input includes tokens from the cache. */
function tokensOf(usage: unknown): Tokens {
  const from = record(usage);
  return tokens(from["input_tokens"], from["output_tokens"], from["cache_read_input_tokens"]);
}

export function tokens(prompt: unknown, output: unknown, cached: unknown): Tokens {
  const cacheRead = positive(cached);
  return { input: Math.max(0, positive(prompt) - cacheRead), output: positive(output), cacheRead };
}
