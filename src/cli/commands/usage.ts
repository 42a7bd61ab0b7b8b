import type { Command } from "commander";
import { pricesOf } from "../../agents/prices.ts";
import type { Reins, Usage } from "../../core/api.ts";
import type { LimitRow, UsageRow } from "../../core/log/types.ts";
import { limitName } from "../../view/labels.ts";
import { limitHolds } from "../../view/slash/record-boxes.ts";
import { addCommand, positive, texts, type CommandContext, type SharedOptions } from "../command.ts";
import { table } from "../render/table.ts";
import { show } from "../with-status.ts";

const dayMs = 86_400_000;

export function register(program: Command, { ending }: CommandContext): void {
  addCommand(program, "usage", "Show usage by day, agent and model, and which agents have quota left.")
    .option("--days <n>", "number of days (default: 7)", positive)
    .option("--json", texts.json)
    .action((options: SharedOptions & { days?: number }) => {
      // A larger number would exceed the range of dates.
      const days = Math.min(options.days ?? 7, 36_500);
      const since = new Date(Date.now() - (days - 1) * dayMs).toISOString().slice(0, 10);
      const ask = async (reins: Reins) => [await reins.usage(since)];
      return show("Looking", { ending, json: options.json }, ask, ([one]) => {
        const rows = agentsWithQuota(one!).map(({ agent, can, why }) => [agent, can ? "yes" : "no", why]);
        const quota = rows.length === 0 ? "" : `\nAgents with quota left:\n${table(["agent", "can", "why"], rows)}`;
        return usageTable(one!.rows, days) + quota;
      });
    });
}

export function usageTable(rows: readonly UsageRow[], days: number): string {
  if (rows.length === 0) return `No usage in the last ${days} days.\n`;
  const cells = rows.map(({ day, agent, model, turns, tokens: { input, output, cacheRead }, ...cost }) => {
    return [day, agent, model, ...[turns, input, output, cacheRead].map(grouped), costWords(cost)];
  });
  const sum = (of: (row: UsageRow) => number): number => rows.reduce((total, row) => total + of(row), 0);
  const unpriced = sum((row) => row.unpriced ?? 0);
  const known = rows.some(({ costUsd }) => costUsd !== undefined);
  const all = { unpriced, ...(known && { costUsd: sum((row) => row.costUsd ?? 0) }) };
  const tokens = (["input", "output", "cacheRead"] as const).map((key) => sum((row) => row.tokens[key]));
  const total = ["in all", "", "", ...[sum((row) => row.turns), ...tokens].map(grouped), costWords(all)];
  const shown = table(["day", "agent", "model", "turns", "input", "output", "from cache", "cost"], [...cells, total]);
  const listed = `Costs that an agent does not report are computed from the list prices of ${pricesOf}.\n`;
  const missing = "“unknown” prices are not included in any sum.\n";
  return [shown, ...((all.costUsd ?? 0) > 0 ? [listed] : []), ...(unpriced > 0 ? [missing] : [])].join("");
}

function grouped(amount: number): string {
  return amount.toLocaleString("en-US");
}

function costWords({ costUsd = 0, unpriced = 0 }: Pick<UsageRow, "costUsd" | "unpriced">): string {
  const known = costUsd === 0 ? [] : [`$${costUsd.toFixed(2)}`];
  return [...known, ...(unpriced > 0 ? ["unknown"] : [])].join(" + ");
}

interface AgentQuota {
  readonly agent: string;
  readonly can: boolean;
  readonly why: string;
}

/** Which agents have quota now, by the last known limits and failures. */
export function agentsWithQuota({ rows, limits, down }: Usage, now: number = Date.now()): readonly AgentQuota[] {
  const agents = new Set([...rows, ...limits].map(({ agent }) => agent));
  for (const { key } of down) agents.add(agentOf(key));
  return [...agents].toSorted().map((agent) => {
    const broken = down.find(({ key, until }) => agentOf(key) === agent && until > now);
    if (broken !== undefined)
      return { agent, can: false, why: `${broken.reason} Until ${new Date(broken.until).toISOString()}.` };
    const current = limits.filter((limit) => limit.agent === agent && limitHolds(limit, now));
    const reached = current.filter(({ status }) => status === "reached");
    const last = reached.toSorted((a, b) => (a.resetsAt ?? "~").localeCompare(b.resetsAt ?? "~")).at(-1);
    if (last !== undefined) return { agent, can: false, why: windowWords(last) };
    return { agent, can: true, why: current.map(windowWords).join(", ") };
  });
}

function windowWords({ window, status, usedPercent, resetsAt }: LimitRow): string {
  const used = usedPercent === undefined ? "" : ` ${Math.round(usedPercent)} % used`;
  const resets = resetsAt === undefined ? "" : `, begins again ${resetsAt}`;
  return `${limitName(window)}${status === "reached" ? " is used up" : used}${resets}`;
}

/** A key is `<agent>` or `<agent> <part>`. */
function agentOf(key: string): string {
  return key.split(" ", 1)[0]!;
}
