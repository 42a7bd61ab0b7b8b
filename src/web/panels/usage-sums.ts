/** Sums up usage records for display. */
import type { Usage } from "../../core/api.ts";
import { dollars } from "../format/format.ts";

type Row = Usage["rows"][number];

export interface UsageSum {
  readonly agent: string;
  readonly model: string;
  readonly turns: number;
  /** Input tokens including cache reads and cache writes. */
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly costUsd: number;
  /** Number of turns with an unknown price, which are not in `costUsd`. */
  readonly unpriced: number;
  readonly seconds: number;
}

/** Sums by agent and model, the most expensive first, then by turns. */
export function byModel(rows: readonly Row[]): readonly UsageSum[] {
  const sums = new Map<string, UsageSum>();
  for (const row of rows) {
    const key = JSON.stringify([row.agent, row.model]);
    sums.set(key, plus(sums.get(key) ?? nothing(row.agent, row.model), row));
  }
  return [...sums.values()].sort((a, b) => b.costUsd - a.costUsd || b.turns - a.turns);
}

export function total(rows: readonly Row[]): UsageSum {
  return rows.reduce(plus, nothing("", ""));
}

export type DaySum = { readonly day: string } & Pick<UsageSum, "turns" | "costUsd" | "unpriced">;

/** Sums for each of the last `days` days, including days without usage. */
export function byDay(rows: readonly Row[], days: number, today: string): readonly DaySum[] {
  const last = Date.parse(`${today}T00:00:00Z`);
  return Array.from({ length: days }, (_, index) => {
    const day = new Date(last - (days - 1 - index) * 86_400_000).toISOString().slice(0, 10);
    const { turns, costUsd, unpriced } = total(rows.filter((row) => row.day === day));
    return { day, turns, costUsd, unpriced };
  });
}

/** The first of the last `days` days, as the server counts days (UTC). */
export function since(days: number, now: number): string {
  return new Date(now - (days - 1) * 86_400_000).toISOString().slice(0, 10);
}

/** An unknown price is not shown as zero. */
export function costWords({ costUsd, unpriced }: Pick<UsageSum, "costUsd" | "unpriced">): string {
  if (unpriced === 0) return dollars(costUsd);
  return costUsd === 0 ? "unknown" : `${dollars(costUsd)} + unknown`;
}

function nothing(agent: string, model: string): UsageSum {
  return { agent, model, turns: 0, tokensIn: 0, tokensOut: 0, costUsd: 0, unpriced: 0, seconds: 0 };
}

function plus(sum: UsageSum, { turns, tokens, costUsd = 0, unpriced = 0, seconds }: Row): UsageSum {
  return {
    ...sum,
    turns: sum.turns + turns,
    tokensIn: sum.tokensIn + tokens.input + tokens.cacheRead + tokens.cacheWrite,
    tokensOut: sum.tokensOut + tokens.output,
    costUsd: sum.costUsd + costUsd,
    unpriced: sum.unpriced + unpriced,
    seconds: sum.seconds + seconds,
  };
}
