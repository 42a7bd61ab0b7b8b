/**
 * Usage of Codex. Each thread reports its total since it began, over all its processes, and the usage of the last
 * request. The usage of a turn is the growth of all totals in it, including those of subagents.
 */
import type { AgentEvent, Tokens } from "../../events/types.ts";
import { isRecord, isoTime, number, record, text, type JsonObject } from "../../protocols/json.ts";
import {
  contextOf,
  CumulativeUsage,
  noTokens,
  positive,
  tokensFrom,
  UsageCounter,
  type TurnUsage,
} from "../../protocols/usage.ts";

const none = { tokens: noTokens };

export class Usage {
  readonly #counter: UsageCounter;
  readonly #totals = new Map<string, CumulativeUsage>();

  constructor(fresh: boolean) {
    this.#counter = new UsageCounter(fresh ? none : undefined);
    if (fresh) this.#totals.set("main", new CumulativeUsage(none));
  }

  /** `running`: a turn is open. A reading before the first turn belongs to an earlier process. */
  read(threadId: string, usage: JsonObject, running: boolean): void {
    const isMain = threadId === "main";
    const total = this.#totals.get(threadId) ?? new CumulativeUsage(isMain ? undefined : none);
    this.#totals.set(threadId, total);
    const last = record(usage["last"]);
    if (isMain) this.#counter.context = contextOf(number(last["totalTokens"]), number(usage["modelContextWindow"]));
    const grown = total.since({ tokens: tokensOf(record(usage["total"])) });
    if (running) this.#counter.add(grown ?? { tokens: tokensOf(last) });
  }

  turnEnded(): TurnUsage {
    return this.#counter.turnEnded();
  }
}

/** Codex counts tokens from and to the cache as input. */
function tokensOf(from: JsonObject): Tokens {
  const { inputTokens, outputTokens: output, cachedInputTokens: cacheRead, cacheWriteInputTokens: cacheWrite } = from;
  const input = positive(inputTokens) - positive(cacheRead) - positive(cacheWrite);
  return tokensFrom({ input, output, cacheRead, cacheWrite, thought: from["reasoningOutputTokens"] });
}

/** Codex reports no warning level of its own. */
const warningPercent = 80;

/** The windows of a plan's allowance. Codex reports them after every request; only changes become events. */
export class Limits {
  readonly #told = new Map<string, string>();
  /** When a window that was used up in this turn resets. */
  resetsAt: string | undefined;

  turnEnded(): void {
    this.resetsAt = undefined;
  }

  updated(rateLimits: unknown): AgentEvent[] {
    const from = record(rateLimits);
    const windows = [from["primary"], from["secondary"]].filter(isRecord);
    return windows.flatMap((window) => this.#window(window, text(from["rateLimitReachedType"]) !== undefined));
  }

  #window(from: JsonObject, reached: boolean): AgentEvent[] {
    const window = nameOf(number(from["windowDurationMins"]));
    const usedPercent = number(from["usedPercent"]);
    const resetsAt = isoTime(from["resetsAt"]);
    const isUsedUp = (usedPercent ?? 0) >= 100 || (reached && (usedPercent ?? 0) >= warningPercent);
    const status = isUsedUp ? "reached" : (usedPercent ?? 0) >= warningPercent ? "warning" : "ok";
    if (isUsedUp) this.resetsAt = resetsAt;
    const event: AgentEvent = { type: "limit.updated", window, usedPercent, resetsAt, status };
    const told = JSON.stringify(event);
    if (this.#told.get(window) === told) return [];
    this.#told.set(window, told);
    return [event];
  }
}

function nameOf(minutes: number | undefined): string {
  if (minutes === undefined) return "plan";
  return minutes === 300 ? "five_hour" : minutes === 10_080 ? "seven_day" : `${minutes}_minutes`;
}
