/** Tokens and cost (law 8). Every answer of the model brings its own; a turn is the sum of its answers, whatever became of them. */
import type { AgentEvent, Tokens } from "../../events/types.ts";
import { record, text } from "../../drivers/stream-json/read.ts";
import { addByModel, addTokens, money, positive } from "../shared/tokens.ts";

export interface Amount {
  readonly tokens: Tokens;
  readonly byModel?: Readonly<Record<string, Tokens>> | undefined;
  readonly costUsd: number;
}

export interface TurnUsage {
  readonly tokens: Tokens | undefined;
  readonly costUsd: number | undefined;
  readonly events: AgentEvent[];
}

const none: Amount = { tokens: { input: 0, output: 0 }, costUsd: 0 };

export class Usage {
  /** What the whole conversation used. */
  #session: Amount = none;
  #turn: Amount = none;
  #contextUsed: number | undefined;
  /** Tokens that fit, of the model in use. */
  contextSize: number | undefined;

  /** A conversation that goes on: what it used before, as pi itself adds it up (`get_session_stats`). */
  resumed(stats: unknown): void {
    const { tokens, cost } = record(stats);
    this.#session = { tokens: tokensOf(tokens), costUsd: positive(cost) };
  }

  /** An answer of the model, or work that a tool or a summary made a model do. */
  add(usage: unknown, model?: unknown): void {
    const tokens = tokensOf(usage);
    const name = text(model);
    const byModel = name === undefined ? undefined : { [name]: tokens };
    this.#turn = sum(this.#turn, { tokens, byModel, costUsd: positive(record(record(usage)["cost"])["total"]) });
  }

  /** How full the context is after an answer. */
  filled(usage: unknown): void {
    const used = positive(record(usage)["totalTokens"]);
    if (used > 0) this.#contextUsed = used;
  }

  turnEnded(): TurnUsage {
    const turn = this.#turn;
    this.#turn = none;
    this.#session = sum(this.#session, turn);
    // A request that failed reports nothing, which is not the same as having used nothing.
    const { cacheRead = 0, cacheWrite = 0 } = turn.tokens;
    if (turn.tokens.input + turn.tokens.output + cacheRead + cacheWrite === 0)
      return { tokens: undefined, costUsd: undefined, events: [] };
    const events = [this.#event("turn", turn), this.#event("session", { ...this.#session, byModel: undefined })];
    return { tokens: turn.tokens, costUsd: turn.costUsd, events };
  }

  #event(scope: "turn" | "session", { tokens, byModel, costUsd }: Amount): AgentEvent {
    const context =
      this.#contextUsed === undefined
        ? undefined
        : { used: this.#contextUsed, ...(this.contextSize === undefined ? {} : { size: this.contextSize }) };
    return {
      type: "usage.updated",
      scope,
      tokens,
      byModel: byModel && { ...byModel },
      costUsd,
      costSource: "agent",
      context,
    };
  }
}

/** `input` comes without what the cache had; thinking is a part of the output. */
function tokensOf(usage: unknown): Tokens {
  const from = record(usage);
  const tokens: Tokens = {
    input: positive(from["input"]),
    output: positive(from["output"]),
    cacheRead: positive(from["cacheRead"]),
    cacheWrite: positive(from["cacheWrite"]),
  };
  const thought = Math.min(positive(from["reasoning"]), tokens.output);
  if (thought > 0) tokens.thought = thought;
  return tokens;
}

function sum(one: Amount, other: Amount): Amount {
  const byModel = addByModel(one.byModel, other.byModel);
  return {
    tokens: addTokens(one.tokens, other.tokens),
    byModel: Object.keys(byModel).length > 0 ? byModel : undefined,
    costUsd: money(one.costUsd + other.costUsd),
  };
}
