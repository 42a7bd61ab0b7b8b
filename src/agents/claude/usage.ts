/**
 * Usage of Claude Code. `total_cost_usd` and `modelUsage` count from the beginning of the conversation, including
 * earlier processes, and return to zero after `/clear`. `model_usage_since_last_result` is exactly the usage of this
 * turn with its subagents, which `usage` leaves out. So the usage of a turn comes from there, and the session is the
 * sum of its turns.
 */
import type { AgentEvent, Tokens } from "../../events/types.ts";
import { isRecord, isoTime, number, record, text, type JsonObject } from "../../protocols/json.ts";
import {
  contextOf,
  CumulativeUsage,
  noTokens,
  positive,
  tokensFrom,
  total,
  UsageCounter,
  type TurnUsage,
  type UsageReading,
} from "../../protocols/usage.ts";

export class Usage {
  readonly #counter: UsageCounter;
  readonly #cost: CumulativeUsage;
  #context: { model: string | undefined; used: number } | undefined;

  constructor(resumed: boolean) {
    const start = resumed ? undefined : { tokens: noTokens, byModel: {}, costUsd: 0 };
    this.#counter = new UsageCounter(start);
    this.#cost = new CumulativeUsage(start);
  }

  /** The usage in an answer of the main conversation shows how full the context is. */
  answered(usage: unknown, model: unknown): void {
    const used = total(messageTokens(usage));
    if (used > 0) this.#context = { model: text(model) ?? this.#context?.model, used };
  }

  goesOn(): void {
    this.#counter.continueTurn();
  }

  /** A result that ends no turn only adds to the session. */
  turn(result: JsonObject, running: boolean): TurnUsage {
    const recent = result["model_usage_since_last_result"];
    const cost = this.#cost.since({ tokens: noTokens, costUsd: number(result["total_cost_usd"]) });
    // Older versions report only the conversation's own tokens and a running cost.
    if (isRecord(recent)) for (const amount of modelAmounts(recent)) this.#counter.add(amount);
    else this.#counter.add({ tokens: messageTokens(result["usage"]), costUsd: cost?.costUsd });
    this.#counter.context = this.#contextNow(result);
    return this.#counter.turnEnded(running);
  }

  #contextNow(result: JsonObject) {
    if (this.#context === undefined) return undefined;
    const { model, used } = this.#context;
    const models = record(result["modelUsage"]);
    const entry = model !== undefined && isRecord(models[model]) ? models[model] : Object.values(models).find(isRecord);
    return contextOf(used, number(entry?.["contextWindow"]));
  }
}

function messageTokens(usage: unknown): Tokens {
  const from = record(usage);
  return tokensFrom({
    input: from["input_tokens"],
    output: from["output_tokens"],
    cacheRead: from["cache_read_input_tokens"],
    cacheWrite: from["cache_creation_input_tokens"],
    thought: record(from["output_tokens_details"])["thinking_tokens"],
  });
}

function modelAmounts(usage: JsonObject): UsageReading[] {
  return Object.entries(usage).map(([model, value]) => {
    const from = record(value);
    const tokens = tokensFrom({
      input: from["inputTokens"],
      output: from["outputTokens"],
      cacheRead: from["cacheReadInputTokens"],
      cacheWrite: from["cacheCreationInputTokens"],
      thought: from["thinkingTokens"],
    });
    return { tokens, byModel: { [model]: tokens }, costUsd: positive(from["costUSD"]) };
  });
}

/** Emits an event per window of the plan. The status at the top lags behind the windows. */
export function limitsUpdated(info: unknown): AgentEvent[] {
  const from = record(info);
  const windows = Object.entries(record(from["unifiedWindows"])).filter((entry): entry is [string, JsonObject] =>
    isRecord(entry[1]),
  );
  if (windows.length > 0) return windows.map(([name, window]) => limitUpdated(name, window));
  return isRecord(info) && text(from["status"]) !== undefined
    ? [limitUpdated(text(from["rateLimitType"]) ?? "plan", from)]
    : [];
}

export function limitResets(info: unknown): string | undefined {
  const from = record(info);
  return from["status"] === "rejected" ? isoTime(from["resetsAt"]) : undefined;
}

function limitUpdated(window: string, from: JsonObject): AgentEvent {
  const used = number(from["utilization"]);
  return {
    type: "limit.updated",
    window,
    usedPercent: used === undefined ? undefined : Math.round(used * 10_000) / 100,
    resetsAt: isoTime(from["resetsAt"]),
    status: from["status"] === "rejected" ? "reached" : from["status"] === "allowed_warning" ? "warning" : "ok",
  };
}
