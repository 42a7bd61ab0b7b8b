/** What models say they used, as our amounts: `input` without what the cache had, `output` with what was thought. */
import type { LanguageModelUsage } from "ai";
import type { AgentEventOf, Tokens } from "../../events/types.ts";

export function tokensOf(usage: LanguageModelUsage): Tokens {
  const { inputTokens = 0, outputTokens = 0, inputTokenDetails, outputTokenDetails } = usage;
  const cacheRead = amount(inputTokenDetails?.cacheReadTokens);
  const cacheWrite = amount(inputTokenDetails?.cacheWriteTokens);
  const thought = amount(outputTokenDetails?.reasoningTokens);
  const fresh = inputTokenDetails?.noCacheTokens ?? inputTokens - (cacheRead ?? 0) - (cacheWrite ?? 0);
  const output = Math.max(amount(outputTokens) ?? 0, thought ?? 0);
  return { input: Math.max(0, fresh), output, ...given({ cacheRead, cacheWrite, thought }) };
}

function amount(value: number | undefined): number | undefined {
  return value === undefined || !(value > 0) || value === Infinity ? undefined : value;
}

function given<Amounts extends Record<string, number | undefined>>(
  amounts: Amounts,
): Partial<Record<keyof Amounts, number>> {
  return Object.fromEntries(Object.entries(amounts).filter(([, value]) => value !== undefined)) as Partial<
    Record<keyof Amounts, number>
  >;
}

const names = ["input", "output", "cacheRead", "cacheWrite", "thought"] as const;

export function sum(a: Tokens, b: Tokens): Tokens {
  const total: Tokens = { input: 0, output: 0 };
  for (const name of names) {
    const value = (a[name] ?? 0) + (b[name] ?? 0);
    if (value > 0 || name === "input" || name === "output") total[name] = value;
  }
  return total;
}

/** How full the context was with this request and its answer. */
export function contextUsed({ input, output, cacheRead = 0, cacheWrite = 0 }: Tokens): number {
  return input + output + cacheRead + cacheWrite;
}

/** What the turn used so far, its subagents' part too. What is used between turns counts to the next. */
export class Usage {
  #byModel = new Map<string, Tokens>();
  /** Of the conversation itself, after its last request. */
  context: { used: number; size?: number } | undefined;

  add(model: string, tokens: Tokens): void {
    this.#byModel.set(model, sum(this.#byModel.get(model) ?? { input: 0, output: 0 }, tokens));
  }

  get total(): Tokens {
    return [...this.#byModel.values()].reduce(sum, { input: 0, output: 0 });
  }

  get event(): AgentEventOf<"usage.updated"> {
    const event: AgentEventOf<"usage.updated"> = { type: "usage.updated", scope: "turn", tokens: this.total };
    event.byModel = Object.fromEntries(this.#byModel);
    if (this.context !== undefined) event.context = this.context;
    return event;
  }

  /** The amounts of the turn that is over; undefined when no model answered in it. */
  take(): Tokens | undefined {
    const total = this.#byModel.size === 0 ? undefined : this.total;
    this.#byModel = new Map();
    return total;
  }
}
