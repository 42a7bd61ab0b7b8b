/**
 * Usage of Qwen: a result has the total of the conversation as the process knows it, with its subagents and its memory, and after a
 * resume what was written down of earlier processes. It falls back to zero after `/clear`.
 */
import { isRecord, record } from "../../protocols/json.ts";
import type { Tokens } from "../../events/types.ts";
import { CumulativeUsage, noTokens, positive, total, UsageCounter } from "../../protocols/usage.ts";
import type { TurnUsage } from "../../protocols/usage.ts";

export class Usage {
  readonly #counter: UsageCounter;
  readonly #reading: CumulativeUsage;

  constructor(resumed: boolean) {
    const start = resumed ? undefined : { tokens: noTokens };
    this.#counter = new UsageCounter(start);
    this.#reading = new CumulativeUsage(start);
  }

  /** The total that was written down of the conversation when this process began. */
  began(tokens: Tokens): void {
    this.#reading.startAt({ tokens });
  }

  /** The usage beside an answer of the main conversation: how full the context is. */
  answered(usage: unknown): void {
    const used = total(tokensOf(usage));
    if (used > 0) this.#counter.context = { used };
  }

  /** A result that ends no turn only adds to the session; one before the session was introduced only moves the reading. */
  turn(usage: unknown, { running, started }: { running: boolean; started: boolean }): TurnUsage {
    // A result without this figure is no reading: the turn failed before it began.
    const isReading = isRecord(usage) && usage["cache_read_input_tokens"] !== undefined;
    const amount = isReading ? this.#reading.since({ tokens: tokensOf(usage) }) : undefined;
    if (amount !== undefined && started) this.#counter.add(amount);
    const ended = this.#counter.turnEnded(running);
    return running ? ended : { ...ended, tokens: undefined };
  }
}

/** Qwen's input contains what came from the cache. */
function tokensOf(usage: unknown): Tokens {
  const from = record(usage);
  return tokens(from["input_tokens"], from["output_tokens"], from["cache_read_input_tokens"]);
}

export function tokens(prompt: unknown, output: unknown, cached: unknown): Tokens {
  const cacheRead = positive(cached);
  return { input: Math.max(0, positive(prompt) - cacheRead), output: positive(output), cacheRead };
}
