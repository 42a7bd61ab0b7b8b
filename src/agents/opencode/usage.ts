/**
 * Tokens and cost (law 8). Each step of the model is told with what it used, whose sum is the turn, subagents and summaries included. OpenCode counts
 * thinking beside the output.
 */
import { record } from "../../drivers/stream-json/read.ts";
import type { AgentEvent, Tokens } from "../../events/types.ts";
import { addByModel, addTokens, money, positive } from "../shared/tokens.ts";

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

function sum(one: Amount, other: Amount): Amount {
  const byModel = addByModel(one.byModel, other.byModel);
  return { tokens: addTokens(one.tokens, other.tokens), byModel, costUsd: money(one.costUsd + other.costUsd) };
}
