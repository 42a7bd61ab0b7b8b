import { pricesOf } from "../agents/prices.ts";
import type { UsageRow } from "../core/log.ts";
import { table } from "./table.ts";

export function usageTable(rows: readonly UsageRow[], days: number): string {
  if (rows.length === 0) return `Nothing was used in the last ${days} days.\n`;
  const cells = rows.map(({ day, agent, model, turns, tokens, ...cost }) => ({
    cells: [day, agent, model, ...[turns, tokens.input, tokens.output, tokens.cacheRead].map(grouped), costWords(cost)],
  }));
  const sum = (of: (row: UsageRow) => number): number => rows.reduce((total, row) => total + of(row), 0);
  const unpriced = sum((row) => row.unpriced ?? 0);
  const known = rows.some(({ costUsd }) => costUsd !== undefined);
  const all = { unpriced, ...(known && { costUsd: sum((row) => row.costUsd ?? 0) }) };
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
    costWords(all),
  ];
  const shown = table(
    ["day", "agent", "model", "turns", "input", "output", "from cache", "cost"],
    [...cells, { cells: total }],
  );
  const listed = `What an agent does not tell is worked out from the list prices of ${pricesOf}.\n`;
  const missing = "Where it says “unknown” nobody knows the price, and it is in no sum.\n";
  return [shown, ...((all.costUsd ?? 0) > 0 ? [listed] : []), ...(unpriced > 0 ? [missing] : [])].join("");
}

function grouped(amount: number): string {
  return amount.toLocaleString("en-US");
}

function costWords({ costUsd = 0, unpriced = 0 }: Pick<UsageRow, "costUsd" | "unpriced">): string {
  const known = costUsd === 0 ? [] : [`$${costUsd.toFixed(2)}`];
  return [...known, ...(unpriced > 0 ? ["unknown"] : [])].join(" + ");
}
