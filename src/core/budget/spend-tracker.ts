/**
 * Tracks the spending of a session: calculates costs that the agent does not report, warns once when a limit is near,
 * and reports when one is reached.
 */
import { costOf } from "../../agents/prices.ts";
import { longestMs } from "../../events/deadlines.ts";
import { ReinsError } from "../../events/errors.ts";
import type { AgentEventOf, EventOf, ReinsEvent, Tokens } from "../../events/types.ts";
import {
  amountOf,
  isLimited,
  nothingSpent,
  reached,
  type Budget,
  type BudgetScope,
  type Reached,
  type Spent,
} from "./budget.ts";
import { allTokens, combine, plus, type Days } from "./spend-history.ts";

export interface SpendingOptions {
  readonly budget: Budget;
  readonly days: Days;
  readonly before: Spent;
  /** True for a new conversation: the agent's session totals then cover all of it. */
  readonly fresh: boolean;
  readonly warn: (message: string) => void;
  readonly over: (error: ReinsError) => void;
  /** Milliseconds on a monotonic clock. */
  readonly now?: () => number;
  readonly today?: () => string;
}

interface Turn {
  readonly startedAt: number;
  tokens: number;
  usd: number;
  readonly sessionBefore: { tokens: number | undefined; usd: number | undefined };
}

const nearly = 0.8;

export class SpendTracker {
  readonly #o: SpendingOptions;
  readonly #now: () => number;
  readonly isLimited: boolean;
  #session: Spent;
  #day: Spent = nothingSpent;
  #today = "";
  #turn: Turn | undefined;
  #told: { tokens: number | undefined; usd: number | undefined };
  #model: string | undefined;
  #priced = 0;
  readonly #warned = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SpendingOptions) {
    this.#o = options;
    this.#now = options.now ?? (() => performance.now());
    this.isLimited = isLimited(options.budget);
    this.#session = options.before;
    this.#told = options.fresh ? { tokens: 0, usd: 0 } : { tokens: undefined, usd: undefined };
  }

  start(model: string | undefined): ReinsError | undefined {
    this.#model ??= model;
    this.#priced = 0;
    this.#turn = { startedAt: this.#now(), tokens: 0, usd: 0, sessionBefore: { ...this.#told } };
    for (const key of this.#warned) if (key.startsWith("turn ")) this.#warned.delete(key);
    this.#readDay();
    if (!this.isLimited) return undefined;
    const [first] = reached(this.#o.budget, this.#spent(), 1);
    if (first === undefined) return undefined;
    // No prompt was sent, so this does not count as a turn.
    this.#turn = undefined;
    return exceeded(first);
  }

  /** Another agent continues, possibly with an unknown model, but not with the previous one. */
  switchedTo(model: string | undefined): void {
    this.#model = model;
    this.#priced = 0;
  }

  priced(event: AgentEventOf<"usage.updated">): AgentEventOf<"usage.updated"> {
    const { scope, tokens, parent } = event;
    if (scope !== "turn" || parent !== undefined || event.costUsd !== undefined || tokens === undefined) return event;
    const cost = this.#cost(tokens, event.byModel);
    return cost === undefined ? event : { ...event, costUsd: this.#raised(cost), costSource: "prices" };
  }

  pricedEnding<Ending extends { usage?: Tokens | undefined; costUsd?: number | undefined }>(
    ending: Ending,
  ): Ending & { costSource?: "prices" | undefined } {
    const cost = ending.costUsd === undefined && ending.usage !== undefined ? this.#cost(ending.usage) : undefined;
    return cost === undefined ? ending : { ...ending, costUsd: this.#raised(cost), costSource: "prices" };
  }

  /** Follows recorded events, in which the parts of several agents in a turn are already summed. */
  follow(event: ReinsEvent): void {
    switch (event.type) {
      case "session.started":
        this.#priced = 0;
        this.#model = event.model ?? this.#model;
        return;
      case "session.updated":
        this.#model = event.model ?? this.#model;
        return;
      case "usage.updated":
        if (event.parent === undefined) this.#count(event);
        return;
      case "turn.completed":
        return this.#ended(event);
      default:
    }
  }

  #ended({ usage, costUsd }: EventOf<"turn.completed">): void {
    const turn = this.#turn;
    if (turn === undefined) return;
    if (usage !== undefined) turn.tokens = Math.max(turn.tokens, allTokens(usage));
    turn.usd = Math.max(turn.usd, costUsd ?? 0);
    clearTimeout(this.#timer);
    const spent = this.#ofTurn(turn);
    this.#doubtPrices(spent);
    this.#turn = undefined;
    this.#session = plus(this.#session, spent);
    this.#day = plus(this.#day, spent);
    this.#o.days.add(this.#today, spent);
  }

  /** The reported cost never decreases, even if the model changed in between. */
  #raised(cost: number): number {
    return (this.#priced = Math.max(cost, this.#priced));
  }

  /** Warns once that a limit in dollars cannot be enforced when no price is known. */
  #doubtPrices({ tokens, usd }: Spent): void {
    const limited = Object.values(this.#o.budget).some((figures) => figures?.usd !== undefined);
    if (!limited || usd > 0 || tokens === 0 || this.#warned.has("prices")) return;
    this.#warned.add("prices");
    this.#o.warn(
      `The price of ${this.#model ?? "this model"} is unknown, so the budget in US dollars cannot be enforced.`,
    );
  }

  #cost(tokens: Tokens, byModel?: Readonly<Record<string, Tokens>>): number | undefined {
    if (byModel === undefined) return this.#model === undefined ? undefined : costOf(this.#model, tokens);
    const costs = Object.entries(byModel).map(([model, used]) => costOf(model, used));
    return costs.includes(undefined) ? undefined : costs.reduce<number>((sum, cost) => sum + cost!, 0);
  }

  #count({ scope, tokens, costUsd }: EventOf<"usage.updated">): void {
    const turn = this.#turn;
    const said = { tokens: tokens && allTokens(tokens), usd: costUsd };
    if (scope === "session") {
      this.#told = { tokens: said.tokens ?? this.#told.tokens, usd: said.usd ?? this.#told.usd };
      for (const name of ["tokens", "usd"] as const)
        said[name] = said[name] === undefined ? undefined : since(said[name], turn?.sessionBefore[name]);
    }
    if (turn === undefined) return;
    turn.tokens = Math.max(turn.tokens, said.tokens ?? 0);
    turn.usd = Math.max(turn.usd, said.usd ?? 0);
  }

  /**
   * Call it during a turn whenever usage may have changed. Reports limits that are near or reached, and schedules the
   * next check for limits on time.
   */
  check(): void {
    if (!this.isLimited) return;
    clearTimeout(this.#timer);
    if (this.#turn === undefined) return;
    // Read once: with two readings a limit could pass in between and be neither reached nor upcoming.
    const spent = this.#spent();
    const [over] = reached(this.#o.budget, spent, 1);
    if (over !== undefined) return this.#o.over(exceeded(over));
    for (const near of reached(this.#o.budget, spent, nearly)) {
      const key = `${near.scope} ${near.name}`;
      if (!this.#warned.has(key)) this.#o.warn(`The budget is nearly spent: ${amountOf(near)}.`);
      this.#warned.add(key);
    }
    const next = this.#nextMoment(spent);
    if (next !== undefined) this.#timer = setTimeout(() => this.check(), Math.min(next, longestMs)).unref();
  }

  /** Milliseconds until the next threshold of a limit on time. */
  #nextMoment(spent: Record<BudgetScope, Spent>): number | undefined {
    const left = (["turn", "session", "day"] as const).flatMap((scope) => {
      const limit = this.#o.budget[scope]?.seconds;
      return limit === undefined ? [] : [nearly, 1].map((share) => limit * share - spent[scope].seconds);
    });
    const coming = left.filter((seconds) => seconds > 0);
    // Timers may fire slightly early; the check then sets the timer again.
    return coming.length === 0 ? undefined : Math.ceil(Math.min(...coming) * 1000) + 1;
  }

  #spent(): Record<BudgetScope, Spent> {
    const turn = this.#turn === undefined ? nothingSpent : { ...this.#ofTurn(this.#turn), turns: 0 };
    return { turn, session: plus(this.#session, turn), day: plus(this.#day, turn) };
  }

  #ofTurn({ tokens, usd, startedAt }: Turn): Spent {
    return { tokens, usd, turns: 1, seconds: (this.#now() - startedAt) / 1000 };
  }

  /** The latest day stays current when the clock is set back. This session's own spending is known here before the store has it. */
  #readDay(): void {
    const today = this.#o.today?.() ?? new Date().toISOString().slice(0, 10);
    const known = today > this.#today ? nothingSpent : this.#day;
    this.#today = today > this.#today ? today : this.#today;
    if (this.#o.budget.day === undefined) return;
    this.#day = combine(Math.max, known, this.#o.days.since(this.#today));
  }
}

/** A resumed agent may count from zero again: then the whole reading is new. */
function since(now: number, before: number | undefined): number | undefined {
  if (before === undefined) return undefined;
  return now < before ? now : now - before;
}

function exceeded(over: Reached): ReinsError {
  return new ReinsError("budget_exceeded", `The budget is spent: ${amountOf(over)}.`, {
    help:
      over.scope === "day"
        ? "Continue tomorrow, or set a higher budget."
        : `Set a higher budget for the ${over.scope}${over.scope === "session" ? ", or start another" : ""}.`,
  });
}
