import type { Usage } from "../core/api.ts";
import { asking, print } from "./asking.ts";
import { table } from "./table.ts";
import { usageTable } from "./usage-table.ts";
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
  await print([found], options, ([one]) => `${usageTable(one!.rows, days)}${able(one!)}`);
}

function able(usage: Usage): string {
  const rows = whoCan(usage).map(({ agent, can, why }) => ({ cells: [agent, can ? "yes" : "no", why] }));
  return rows.length === 0 ? "" : `\nWho can take work now:\n${table(["agent", "can", "why"], rows)}`;
}
