/**
 * Tokens and cost (law 8). Each step of the model is told with what it used, whose sum is the turn, subagents and summaries included. OpenCode counts
 * thinking beside the output.
 */
import { number, record } from "../../drivers/stream-json/read.ts";
import type { AgentEvent, Tokens } from "../../events/types.ts";

interface Amount {
  readonly tokens: Tokens;
  readonly byModel: Readonly<Record<string, Tokens>>;
  readonly costUsd: number;
}

const nothing: Amount = { tokens: { input: 0, output: 0 }, byModel: {}, costUsd: 0 };

export class Usage {
  /** Tokens that fit, by model. */
  contextSizes: ReadonlyMap<string, number> = new Map();
  #turn = nothing;
  #session = nothing;
  #context: { used: number; size?: number } | undefined;

  /** What a conversation that goes on used before, as it tells itself. */
  resumed(tokens: unknown, cost: unknown): void {
    this.#session = { ...nothing, tokens: tokensOf(tokens), costUsd: positive(cost) };
  }

  get turnCostUsd(): number {
    return this.#turn.costUsd;
  }

  /** `fills`: it is of the conversation itself, and so tells how full its context is. */
  step(tokens: unknown, cost: unknown, model: string, fills: boolean): void {
    const used = tokensOf(tokens);
    const amount = { tokens: used, byModel: { [model]: used }, costUsd: positive(cost) };
    this.#turn = sum(this.#turn, amount);
    this.#session = sum(this.#session, amount);
    if (!fills) return;
    const { input, output, cacheRead = 0, cacheWrite = 0 } = used;
    const size = this.contextSizes.get(model);
    this.#context = { used: input + output + cacheRead + cacheWrite, ...(size === undefined ? {} : { size }) };
  }

  /** At the end of a turn. A turn that used nothing is not told. */
  turnEnded(): { tokens: Tokens | undefined; costUsd: number | undefined; events: AgentEvent[] } {
    const turn = this.#turn;
    this.#turn = nothing;
    if (turn.tokens.input + turn.tokens.output === 0) return { tokens: undefined, costUsd: undefined, events: [] };
    const events = [this.#event("turn", turn), this.#event("session", this.#session)];
    return { tokens: turn.tokens, costUsd: turn.costUsd, events };
  }

  #event(scope: "turn" | "session", { tokens, byModel, costUsd }: Amount): AgentEvent {
    return {
      type: "usage.updated",
      scope,
      tokens,
      // Of what was used before, the models are not known.
      byModel: scope === "turn" ? byModel : undefined,
      costUsd,
      costSource: "agent",
      context: this.#context,
    };
  }
}

function tokensOf(value: unknown): Tokens {
  const { input, output, reasoning, cache } = record(value);
  const { read, write } = record(cache);
  const thought = positive(reasoning);
  const tokens: Tokens = {
    input: positive(input),
    output: positive(output) + thought,
    cacheRead: positive(read),
    cacheWrite: positive(write),
  };
  if (thought > 0) tokens.thought = thought;
  return tokens;
}

function positive(value: unknown): number {
  return Math.max(0, number(value) ?? 0);
}

/** Without the dust of binary fractions. */
function money(usd: number): number {
  return Math.round(usd * 1e10) / 1e10;
}

function sum(one: Amount, other: Amount): Amount {
  const byModel = { ...one.byModel };
  for (const [model, tokens] of Object.entries(other.byModel)) byModel[model] = add(byModel[model], tokens);
  return { tokens: add(one.tokens, other.tokens), byModel, costUsd: money(one.costUsd + other.costUsd) };
}

function add(one: Tokens | undefined, other: Tokens): Tokens {
  if (one === undefined) return other;
  const tokens: Tokens = { input: one.input + other.input, output: one.output + other.output };
  for (const key of ["cacheRead", "cacheWrite", "thought"] as const)
    if (one[key] !== undefined || other[key] !== undefined) tokens[key] = (one[key] ?? 0) + (other[key] ?? 0);
  return tokens;
}
