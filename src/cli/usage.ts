import { pricesOf } from "../agents/prices.ts";
import type { Usage } from "../core/api.ts";
import type { UsageRow } from "../core/log.ts";
import { asking, print } from "./asking.ts";
import { table } from "./table.ts";
import { whoCan } from "./who-can.ts";

const dayMs = 86_400_000;

/** `reins usage`: what was used, and who can take work now. */
export async function usage(
  options: { readonly days?: number; readonly json?: boolean },
  ending: AbortSignal,
): Promise<void> {
  // Further back than there are dates is all of it.
  const days = Math.min(options.days ?? 7, 36_500);
  const since = new Date(Date.now() - (days - 1) * dayMs).toISOString().slice(0, 10);
  const found = await asking("Looking", ending, (reins) => reins.usage(since));
  await print([found], options, ([one]) => `${used(one!.rows, days)}${able(one!)}`);
}

function used(rows: readonly UsageRow[], days: number): string {
  if (rows.length === 0) return `Nothing was used in the last ${days} days.\n`;
  const cells = rows.map(({ day, agent, model, turns, tokens, costUsd }) => ({
    cells: [day, agent, model, ...[turns, tokens.input, tokens.output, tokens.cacheRead].map(grouped), money(costUsd)],
  }));
  const sum = (of: (row: UsageRow) => number): number => rows.reduce((total, row) => total + of(row), 0);
  const total = [
    "in all",
    "",
    "",
    ...[
      sum((row) => row.turns),
      sum((row) => row.tokens.input),
      sum((row) => row.tokens.output),
      sum((row) => row.tokens.cacheRead),
    ].map(grouped),
    money(sum((row) => row.costUsd)),
  ];
  const shown = table(
    ["day", "agent", "model", "turns", "input", "output", "from cache", "cost"],
    [...cells, { cells: total }],
  );
  const listed = `What an agent does not tell is worked out from the list prices of ${pricesOf}.\n`;
  return rows.some(({ costUsd }) => costUsd > 0) ? `${shown}${listed}` : shown;
}

function able(usage: Usage): string {
  const rows = whoCan(usage).map(({ agent, can, why }) => ({ cells: [agent, can ? "yes" : "no", why] }));
  return rows.length === 0 ? "" : `\nWho can take work now:\n${table(["agent", "can", "why"], rows)}`;
}

function grouped(amount: number): string {
  return amount.toLocaleString("en-US");
}

function money(usd: number): string {
  return usd === 0 ? "" : `$${usd.toFixed(2)}`;
}
