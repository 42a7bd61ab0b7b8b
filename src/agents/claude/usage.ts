/**
 * Tokens and cost (law 8). `total_cost_usd` and `modelUsage` count from the beginning of the conversation, earlier processes
 * included, and fall back to nothing after `/clear`; `model_usage_since_last_result` is exactly what this turn used, with its
 * subagents, which `usage` leaves out. So turns come from there, and the session is their sum.
 */
import type { AgentEvent, Tokens } from "../../events/types.ts";
import { isRecord, number, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import { addByModel, addTokens, money, positive } from "../shared/tokens.ts";

export interface TurnUsage {
  readonly tokens: Tokens | undefined;
  readonly costUsd: number | undefined;
  readonly events: AgentEvent[];
}

interface Amount {
  readonly tokens: Tokens;
  readonly byModel: Record<string, Tokens> | undefined;
  readonly costUsd: number | undefined;
}

export class Usage {
  /** What the whole session used is known only where this process saw all of it. */
  #session: Amount | undefined;
  /** What the parts of this turn used that were told already. */
  #parts: Amount | undefined;
  #last: Amount | undefined;
  #costReading: number | undefined;
  #context: { model: string | undefined; used: number } | undefined;

  constructor(resumed: boolean) {
    if (!resumed) {
      this.#session = { tokens: { input: 0, output: 0 }, byModel: undefined, costUsd: 0 };
      this.#costReading = 0;
    }
  }

  /** The usage beside an answer of the main conversation: how full the context is. */
  answered(usage: unknown, model: unknown): void {
    const { input, output, cacheRead = 0, cacheWrite = 0 } = messageTokens(usage);
    const used = input + output + cacheRead + cacheWrite;
    if (used > 0) this.#context = { model: text(model) ?? this.#context?.model, used };
  }

  /** The last result was that of a part: the next one's reading goes on from it. */
  goesOn(): void {
    this.#parts = this.#last;
  }

  /** A result that ends no turn only adds to the session. */
  turn(result: Wire, running: boolean): TurnUsage {
    const amount = this.#amount(result);
    const whole = this.#parts === undefined ? amount : sum(this.#parts, amount);
    this.#parts = undefined;
    this.#last = whole;
    if (this.#session !== undefined) this.#session = sum(this.#session, amount);
    // An interrupted or refused request reports nothing, which is not the same as having used nothing.
    if (amount.tokens.input + amount.tokens.output === 0 && (amount.costUsd ?? 0) === 0) {
      return { tokens: undefined, costUsd: undefined, events: [] };
    }
    const context = this.#contextNow(result);
    const events: AgentEvent[] = running ? [usageEvent("turn", whole, context)] : [];
    if (this.#session !== undefined) events.push(usageEvent("session", this.#session, context));
    return { tokens: amount.tokens, costUsd: amount.costUsd, events };
  }

  #amount(result: Wire): Amount {
    const cost = number(result["total_cost_usd"]);
    const before = this.#costReading;
    this.#costReading = cost ?? before;
    const recent = result["model_usage_since_last_result"];
    if (isRecord(recent)) return modelAmount(recent);
    // Older versions: the conversation's own tokens, and the difference of two readings.
    const costUsd =
      cost === undefined || before === undefined ? undefined : cost < before ? cost : money(cost - before);
    return { tokens: messageTokens(result["usage"]), byModel: undefined, costUsd };
  }

  #contextNow(result: Wire): { used: number; size?: number } | undefined {
    if (this.#context === undefined) return undefined;
    const { model, used } = this.#context;
    const models = record(result["modelUsage"]);
    const entry = model !== undefined && isRecord(models[model]) ? models[model] : Object.values(models).find(isRecord);
    const size = number(entry?.["contextWindow"]);
    return size === undefined ? { used } : { used, size };
  }
}

function usageEvent(
  scope: "turn" | "session",
  amount: Amount,
  context: { used: number; size?: number } | undefined,
): AgentEvent {
  const { tokens, byModel, costUsd } = amount;
  return {
    type: "usage.updated",
    scope,
    tokens,
    byModel,
    costUsd,
    costSource: costUsd === undefined ? undefined : "agent",
    context,
  };
}

function messageTokens(usage: unknown): Tokens {
  const from = record(usage);
  return tokensOf(
    from["input_tokens"],
    from["output_tokens"],
    from["cache_read_input_tokens"],
    from["cache_creation_input_tokens"],
    record(from["output_tokens_details"])["thinking_tokens"],
  );
}

function modelAmount(usage: Wire): Amount {
  let total: Amount = { tokens: { input: 0, output: 0 }, byModel: undefined, costUsd: 0 };
  for (const [model, value] of Object.entries(usage)) {
    const from = record(value);
    const tokens = tokensOf(
      from["inputTokens"],
      from["outputTokens"],
      from["cacheReadInputTokens"],
      from["cacheCreationInputTokens"],
      from["thinkingTokens"],
    );
    total = sum(total, { tokens, byModel: { [model]: tokens }, costUsd: positive(from["costUSD"]) });
  }
  return total;
}

function tokensOf(input: unknown, output: unknown, cacheRead: unknown, cacheWrite: unknown, thought: unknown): Tokens {
  const tokens: Tokens = {
    input: positive(input),
    output: positive(output),
    cacheRead: positive(cacheRead),
    cacheWrite: positive(cacheWrite),
  };
  // Thinking is part of the output; a larger figure would be no such part.
  if (positive(thought) > 0) tokens.thought = Math.min(positive(thought), tokens.output);
  return tokens;
}

function sum(one: Amount, other: Amount): Amount {
  const byModel = addByModel(one.byModel, other.byModel);
  return {
    tokens: addTokens(one.tokens, other.tokens),
    byModel: Object.keys(byModel).length > 0 ? byModel : undefined,
    costUsd: one.costUsd === undefined || other.costUsd === undefined ? undefined : money(one.costUsd + other.costUsd),
  };
}
