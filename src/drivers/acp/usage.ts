/**
 * Tokens and cost (law 8). ACP does not say whether the tokens beside an answer are those of the turn or add up, so only an
 * agent's folder can; `usage_update` tells how full the context is, and a cost that adds up over the session.
 */
import { isDeepStrictEqual } from "node:util";
import type { AgentEvent, Tokens } from "../../events/types.ts";
import type { AcpUsage } from "./quirks.ts";
import { number, record } from "./read.ts";
import type { Wire } from "./read.ts";

type Context = { used: number; size?: number };

export interface TurnUsage {
  readonly tokens: Tokens | undefined;
  readonly costUsd: number | undefined;
  readonly events: AgentEvent[];
}

const nothing: Tokens = { input: 0, output: 0 };
const amounts = ["input", "output", "cacheRead", "cacheWrite", "thought"] as const satisfies readonly (keyof Tokens)[];

export class Usage {
  readonly #how: AcpUsage | undefined;
  /** What had been used before this turn, as the agent counts; undefined where it is not known. */
  #before: Tokens | undefined;
  /** What the whole session used is known only where this process saw all of it. */
  #session: { tokens: Tokens; costUsd: number | undefined } | undefined;
  #context: Context | undefined;
  #costBefore: number | undefined;
  #cost: number | undefined;

  constructor(how: AcpUsage | undefined, resumed: boolean) {
    this.#how = how;
    if (!resumed || how?.counts === "process") this.#before = nothing;
    if (resumed) return;
    this.#session = { tokens: nothing, costUsd: undefined };
    this.#costBefore = 0;
  }

  /** `usage_update`; what it tells anew of the context. */
  update(update: Wire): AgentEvent[] {
    const [used, size] = [positive(update["used"]), positive(update["size"])];
    const before = this.#context;
    if (used !== undefined) this.#context = size === undefined || size === 0 ? { used } : { used, size };
    const { amount, currency } = record(update["cost"]);
    if (currency === undefined || currency === "USD") this.#cost = positive(amount) ?? this.#cost;
    if (this.#context === undefined || isDeepStrictEqual(before, this.#context)) return [];
    return [{ type: "usage.updated", scope: "session", context: this.#context }];
  }

  turn(result: Wire): TurnUsage {
    const tokens = this.#tokens(result);
    const costUsd = this.#costOfTurn();
    if (tokens === undefined) return { tokens, costUsd, events: [] };
    const events: AgentEvent[] = [usageEvent("turn", tokens, costUsd, this.#context)];
    if (this.#session !== undefined) {
      this.#session = { tokens: add(this.#session.tokens, tokens), costUsd: this.#cost };
      events.push(usageEvent("session", this.#session.tokens, this.#session.costUsd, this.#context));
    }
    return { tokens, costUsd, events };
  }

  #tokens(result: Wire): Tokens | undefined {
    if (this.#how === undefined) return undefined;
    const read = this.#how.tokens === undefined ? tokensIn(record(result["usage"])) : this.#how.tokens(result);
    // A cancelled or refused request reports nothing, which is not the same as having used nothing.
    if (read === undefined || read.input + read.output === 0) return undefined;
    if (this.#how.counts === "turn") return read;
    const before = this.#before;
    this.#before = read;
    return before === undefined ? undefined : difference(read, before);
  }

  #costOfTurn(): number | undefined {
    const [before, now] = [this.#costBefore, this.#cost];
    if (now === undefined) return undefined;
    this.#costBefore = now;
    if (before === undefined) return undefined;
    // Without the dust of binary fractions.
    return now < before ? undefined : Math.round((now - before) * 1e10) / 1e10;
  }
}

/** ACP's own names. Whether `inputTokens` has the cached ones in it shows in the sum: some agents count them twice, some not. */
export function tokensIn(usage: Wire): Tokens | undefined {
  const [input, output] = [positive(usage["inputTokens"]), positive(usage["outputTokens"])];
  if (input === undefined || output === undefined) return undefined;
  const [cacheRead, cacheWrite] = [positive(usage["cachedReadTokens"]), positive(usage["cachedWriteTokens"])];
  const thought = positive(usage["thoughtTokens"]);
  const cached = (cacheRead ?? 0) + (cacheWrite ?? 0);
  const within = usage["totalTokens"] === input + output && cached <= input;
  const tokens: Tokens = { input: within ? input - cached : input, output };
  if (cacheRead !== undefined) tokens.cacheRead = cacheRead;
  if (cacheWrite !== undefined) tokens.cacheWrite = cacheWrite;
  // Thinking is part of the output; a larger figure would be no such part.
  if (thought !== undefined) tokens.thought = Math.min(thought, output);
  return tokens;
}

function usageEvent(
  scope: "turn" | "session",
  tokens: Tokens,
  costUsd: number | undefined,
  context: Context | undefined,
): AgentEvent {
  const costSource = costUsd === undefined ? undefined : "agent";
  return { type: "usage.updated", scope, tokens, costUsd, costSource, context };
}

function positive(value: unknown): number | undefined {
  const found = number(value);
  return found === undefined || found < 0 ? undefined : found;
}

function add(one: Tokens, other: Tokens): Tokens {
  return combine(one, other, (a, b) => a + b);
}

/** Where it fell, the agent began to count anew. */
function difference(now: Tokens, before: Tokens): Tokens {
  return now.input < before.input || now.output < before.output
    ? now
    : combine(now, before, (a, b) => Math.max(0, a - b));
}

function combine(one: Tokens, other: Tokens, how: (a: number, b: number) => number): Tokens {
  const tokens: Tokens = { input: 0, output: 0 };
  for (const name of amounts) {
    if (one[name] !== undefined || other[name] !== undefined) tokens[name] = how(one[name] ?? 0, other[name] ?? 0);
  }
  return tokens;
}
