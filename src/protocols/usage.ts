/**
 * Counts usage (law 8): turns figures of a wire into amounts of turns and of the session. A wire reports either the usage of one answer
 * (`UsageCounter.add`) or running totals (`CumulativeUsage.since`, whose result is added).
 */
import type { AgentEvent, AgentEventOf, Tokens } from "../events/types.ts";
import { number } from "./json.ts";

/** Amounts in Reins' terms: `input` without cached tokens, `output` with thinking. An undefined cost is unknown, not zero. */
export interface UsageReading {
  readonly tokens: Tokens;
  readonly byModel?: Readonly<Record<string, Tokens>> | undefined;
  readonly costUsd?: number | undefined;
}

export interface ContextUsage {
  used: number;
  size?: number;
}

/** The end of a turn: amounts for `turn.ended` and the `usage.updated` events before it. */
export interface TurnUsage {
  readonly tokens: Tokens | undefined;
  readonly costUsd: number | undefined;
  readonly events: AgentEvent[];
}

export const noTokens: Tokens = { input: 0, output: 0 };

const kept = ["input", "output", "cacheRead", "cacheWrite"] as const satisfies readonly (keyof Tokens)[];

export class UsageCounter {
  /** How full the context of the main conversation is. */
  context: ContextUsage | undefined;
  #session: UsageReading | undefined;
  #turn: UsageReading | undefined;
  #lastTurn: UsageReading | undefined;

  /**
   * `before`: amounts of the session so far. Undefined if unknown, for example in a resumed conversation; then only turns are reported.
   * Without `byModel` the session is reported without models.
   */
  constructor(before?: UsageReading) {
    this.#session = before;
  }

  /** Replaces the amounts of the session so far by those that the agent remembers. */
  resumed(before: UsageReading): void {
    this.#session = before;
  }

  get turn(): UsageReading {
    return this.#turn ?? { tokens: noTokens };
  }

  add(amount: UsageReading): void {
    if (total(amount.tokens) === 0 && amount.costUsd === undefined) return;
    this.#turn = sum(this.#turn ?? { tokens: noTokens, costUsd: 0 }, amount);
    if (this.#session === undefined) return;
    const { byModel } = this.#session;
    this.#session = { ...sum(this.#session, amount), byModel: byModel && addByModel(byModel, amount.byModel) };
  }

  /** The current amounts of the turn, for agents that report usage while the turn runs. */
  get turnEvent(): AgentEventOf<"usage.updated"> {
    return this.#event("turn", this.turn);
  }

  /**
   * Ends the turn. A turn without tokens reports nothing: an interrupted or refused request has no figures, which does not mean that it
   * used nothing. `inTurn: false`: the amounts belong to no turn and only add to the session.
   */
  turnEnded(inTurn = true): TurnUsage {
    const turn = this.turn;
    this.#lastTurn = this.#turn;
    this.#turn = undefined;
    if (total(turn.tokens) === 0) return { tokens: undefined, costUsd: undefined, events: [] };
    const events: AgentEvent[] = inTurn ? [this.#event("turn", turn)] : [];
    if (this.#session !== undefined) events.push(this.#event("session", this.#session));
    return { tokens: turn.tokens, costUsd: turn.costUsd, events };
  }

  /** The last ended turn continues: its amounts count towards the current turn. */
  continueTurn(): void {
    this.#turn = this.#lastTurn;
  }

  #event(scope: "turn" | "session", { tokens, byModel = {}, costUsd }: UsageReading): AgentEventOf<"usage.updated"> {
    return {
      type: "usage.updated",
      scope,
      tokens,
      byModel: Object.keys(byModel).length > 0 ? { ...byModel } : undefined,
      costUsd,
      costSource: costUsd === undefined ? undefined : "agent",
      context: this.context,
    };
  }
}

/** A running total of the wire. */
export class CumulativeUsage {
  #last: UsageReading | undefined;
  /** The baseline comes from another process, which may have counted differently. */
  #foreign = false;

  /** `start`: the first baseline; undefined if unknown. */
  constructor(start?: UsageReading) {
    this.#last = start;
  }

  /** Sets the baseline to a reading from an earlier process, unless there is one already. */
  startAt(reading: UsageReading): void {
    if (this.#last !== undefined) return;
    this.#last = reading;
    this.#foreign = true;
  }

  /**
   * Returns the growth since the last reading; undefined without a baseline. A total that fell was restarted, so the total itself is the
   * growth. A total below a baseline from another process proves that baseline wrong.
   */
  since(now: UsageReading): UsageReading | undefined {
    const before = this.#last;
    const foreign = this.#foreign;
    this.#last = { ...now, costUsd: now.costUsd ?? before?.costUsd };
    this.#foreign = false;
    if (before === undefined) return undefined;
    const tokens = fell(now.tokens, before.tokens)
      ? foreign
        ? undefined
        : now.tokens
      : combine(now.tokens, before.tokens, (a, b) => Math.max(0, a - b));
    return tokens && { tokens, costUsd: costSince(now.costUsd, before.costUsd) };
  }
}

/** Reads a figure from the wire; a missing or negative figure becomes zero. */
export function positive(value: unknown): number {
  return Math.max(0, number(value) ?? 0);
}

/** Reads token counts in which `output` includes thinking, so thinking is capped at `output`. */
export function tokensFrom(figures: {
  readonly input: unknown;
  readonly output: unknown;
  readonly cacheRead?: unknown;
  readonly cacheWrite?: unknown;
  readonly thought?: unknown;
}): Tokens {
  const tokens: Tokens = {
    input: positive(figures.input),
    output: positive(figures.output),
    cacheRead: positive(figures.cacheRead),
    cacheWrite: positive(figures.cacheWrite),
  };
  const thought = Math.min(positive(figures.thought), tokens.output);
  if (thought > 0) tokens.thought = thought;
  return tokens;
}

/** All tokens of an answer: those it takes in the context, or that went through the model. */
export function total(tokens: Tokens): number {
  return kept.reduce((all, name) => all + (tokens[name] ?? 0), 0);
}

export function contextOf(used: number | undefined, size: number | undefined): ContextUsage | undefined {
  if (used === undefined) return undefined;
  return size === undefined ? { used } : { used, size };
}

export function addTokens(one: Tokens, other: Tokens): Tokens {
  return combine(one, other, (a, b) => a + b);
}

function addByModel(
  one: Readonly<Record<string, Tokens>> = {},
  other: Readonly<Record<string, Tokens>> = {},
): Record<string, Tokens> {
  const both = { ...one };
  for (const [model, tokens] of Object.entries(other)) both[model] = addTokens(both[model] ?? noTokens, tokens);
  return both;
}

function sum(one: UsageReading, other: UsageReading): UsageReading {
  return {
    tokens: addTokens(one.tokens, other.tokens),
    byModel: addByModel(one.byModel, other.byModel),
    costUsd: one.costUsd === undefined || other.costUsd === undefined ? undefined : money(one.costUsd + other.costUsd),
  };
}

function fell(now: Tokens, before: Tokens): boolean {
  return kept.some((name) => (now[name] ?? Infinity) < (before[name] ?? 0));
}

function costSince(now: number | undefined, before: number | undefined): number | undefined {
  if (now === undefined || before === undefined) return undefined;
  return now < before ? now : money(now - before);
}

/** Rounds away binary floating-point errors. */
function money(usd: number): number {
  return Math.round(usd * 1e10) / 1e10;
}

function combine(one: Tokens, other: Tokens, how: (a: number, b: number) => number): Tokens {
  const tokens: Tokens = { input: how(one.input, other.input), output: how(one.output, other.output) };
  for (const name of ["cacheRead", "cacheWrite", "thought"] as const)
    if (one[name] !== undefined || other[name] !== undefined) tokens[name] = how(one[name] ?? 0, other[name] ?? 0);
  if (tokens.thought !== undefined) tokens.thought = Math.min(tokens.thought, tokens.output);
  return tokens;
}
