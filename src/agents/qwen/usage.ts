/**
 * Tokens (law 8). A result has the sum over the conversation as the process knows it: what it used itself, its subagents and its
 * memory included, and after a resume what was written down of earlier processes. It falls back to nothing after `/clear`.
 */
import { isRecord, record } from "../../drivers/stream-json/read.ts";
import type { AgentEvent, Tokens } from "../../events/types.ts";
import { positive } from "../shared/tokens.ts";

export interface TurnUsage {
  readonly tokens: Tokens | undefined;
  readonly events: AgentEvent[];
}

export class Usage {
  /** The last reading; undefined where a conversation goes on and what it had used is not known. */
  #reading: Tokens | undefined;
  /** What the whole session used is known only where this process saw all of it. */
  #session: Tokens | undefined;
  /** The reading is what we found written down, and the process may count otherwise. */
  #found = false;
  #contextUsed: number | undefined;

  constructor(resumed: boolean) {
    if (resumed) return;
    this.#reading = nothing;
    this.#session = nothing;
  }

  /** What was written down of the conversation when this process began. */
  began(reading: Tokens): void {
    if (this.#reading !== undefined) return;
    this.#reading = reading;
    this.#found = true;
  }

  /** The usage beside an answer of the main conversation: how full the context is. */
  answered(usage: unknown): void {
    const { input, output, cacheRead = 0 } = tokensOf(usage);
    if (input + output + cacheRead > 0) this.#contextUsed = input + output + cacheRead;
  }

  /** A result that ends no turn, or comes before the session was introduced, only moves the reading. */
  turn(usage: unknown, { running, started }: { running: boolean; started: boolean }): TurnUsage {
    // Without this it is no reading: the turn failed before it began.
    if (!isRecord(usage) || usage["cache_read_input_tokens"] === undefined) return { tokens: undefined, events: [] };
    const now = tokensOf(usage);
    const tokens = this.#since(now);
    this.#reading = now;
    this.#found = false;
    if (!started) return { tokens: undefined, events: [] };
    if (tokens !== undefined && this.#session !== undefined) this.#session = sum(this.#session, tokens);
    // An interrupted or refused request reports nothing, which is not the same as having used nothing.
    if (tokens === undefined || tokens.input + tokens.output === 0) return { tokens: undefined, events: [] };
    const context = this.#contextUsed === undefined ? undefined : { used: this.#contextUsed };
    const events: AgentEvent[] = running ? [{ type: "usage.updated", scope: "turn", tokens, context }] : [];
    if (this.#session !== undefined)
      events.push({ type: "usage.updated", scope: "session", tokens: this.#session, context });
    return { tokens: running ? tokens : undefined, events };
  }

  /** What came between two readings. One that fell began anew; one below what was found says that the find was wrong. */
  #since(now: Tokens): Tokens | undefined {
    if (this.#reading === undefined) return undefined;
    const difference = {
      input: now.input - this.#reading.input,
      output: now.output - this.#reading.output,
      cacheRead: (now.cacheRead ?? 0) - (this.#reading.cacheRead ?? 0),
    };
    if (Object.values(difference).every((amount) => amount >= 0)) return difference;
    return this.#found ? undefined : now;
  }
}

const nothing: Tokens = { input: 0, output: 0, cacheRead: 0 };

/** Its input has what came from the cache in it. */
export function tokensOf(usage: unknown): Tokens {
  const from = record(usage);
  return tokens(from["input_tokens"], from["output_tokens"], from["cache_read_input_tokens"]);
}

export function tokens(prompt: unknown, output: unknown, cached: unknown): Tokens {
  const cacheRead = positive(cached);
  return { input: Math.max(0, positive(prompt) - cacheRead), output: positive(output), cacheRead };
}

export function sum(one: Tokens, other: Tokens): Tokens {
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    cacheRead: (one.cacheRead ?? 0) + (other.cacheRead ?? 0),
  };
}
