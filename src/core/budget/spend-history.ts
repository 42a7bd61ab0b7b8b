/** Spending before this turn: of a stored session, and of all sessions of a day. */
import type { Tokens } from "../../events/types.ts";
import { nothingSpent, type Spent } from "./budget.ts";
import type { Store } from "../log/types.ts";

export interface Days {
  /** Spending since this day (`YYYY-MM-DD`). Later dates count too: the clock may have been set back. */
  since(day: string): Spent;
  add(day: string, spent: Spent): void;
}

export class MemoryDays implements Days {
  readonly #days = new Map<string, Spent>();

  since(day: string): Spent {
    return [...this.#days].filter(([date]) => date >= day).reduce((sum, [, spent]) => plus(sum, spent), nothingSpent);
  }

  add(day: string, spent: Spent): void {
    this.#days.set(day, plus(this.#days.get(day) ?? nothingSpent, spent));
  }
}

/** The usage records of the store, which every process that shares the store adds to. */
export function storedDays(store: Store): Days {
  const memory = new MemoryDays();
  return {
    since(day) {
      if (store.trouble !== undefined) return memory.since(day);
      const rows = store.usage.rows(day).map(({ tokens, costUsd = 0, turns, seconds }) => ({
        tokens: allTokens(tokens),
        usd: costUsd,
        turns,
        seconds,
      }));
      return rows.reduce(plus, nothingSpent);
    },
    add: (day, spent) => memory.add(day, spent),
  };
}

export function spentIn(store: Store, sessionId: string): Spent {
  const turns = store.sessions.turns(sessionId).map(({ usage, costUsd = 0, startedAt, endedAt }) => ({
    tokens: usage === undefined ? 0 : allTokens(usage),
    usd: costUsd,
    turns: 1,
    seconds: endedAt === undefined ? 0 : Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)) / 1000,
  }));
  return turns.reduce(plus, nothingSpent);
}

export function combine(of: (a: number, b: number) => number, a: Spent, b: Spent): Spent {
  const [tokens, usd] = [of(a.tokens, b.tokens), of(a.usd, b.usd)];
  return { tokens, usd, seconds: of(a.seconds, b.seconds), turns: of(a.turns, b.turns) };
}

export function plus(a: Spent, b: Spent): Spent {
  return combine((one, other) => one + other, a, b);
}

/** `output` already includes thinking. */
export function allTokens({ input, output, cacheRead = 0, cacheWrite = 0 }: Tokens): number {
  return input + output + cacheRead + cacheWrite;
}
