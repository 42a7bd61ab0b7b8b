/** Who can take work now, by what was last heard of their plans and of what is down. */
import type { Usage } from "../core/api.ts";
import type { LimitRow } from "../core/log.ts";

export interface Able {
  readonly agent: string;
  readonly can: boolean;
  /** For people. */
  readonly why: string;
}

/** What was heard longer ago, without a time when it ends, says nothing any more. */
const staleMs = 86_400_000;

export function whoCan({ rows, limits, down }: Usage, now: number = Date.now()): readonly Able[] {
  const agents = new Set([...rows, ...limits].map(({ agent }) => agent));
  for (const { key } of down) agents.add(agentOf(key));
  return [...agents].toSorted().map((agent) => {
    const broken = down.find(({ key, until }) => agentOf(key) === agent && until > now);
    if (broken !== undefined)
      return { agent, can: false, why: `${broken.reason} Until ${new Date(broken.until).toISOString()}.` };
    const current = limits.filter((limit) => limit.agent === agent && holds(limit, now));
    const reached = current.filter(({ status }) => status === "reached");
    const last = reached.toSorted((a, b) => (a.resetsAt ?? "~").localeCompare(b.resetsAt ?? "~")).at(-1);
    if (last !== undefined) return { agent, can: false, why: windowWords(last) };
    return { agent, can: true, why: current.map(windowWords).join(", ") };
  });
}

function holds({ resetsAt, updatedAt }: LimitRow, now: number): boolean {
  return resetsAt === undefined ? now - Date.parse(updatedAt) < staleMs : Date.parse(resetsAt) > now;
}

function windowWords({ window, status, usedPercent, resetsAt }: LimitRow): string {
  const used = usedPercent === undefined ? "" : ` ${Math.round(usedPercent)} % used`;
  const resets = resetsAt === undefined ? "" : `, begins again ${resetsAt}`;
  return `${window}${status === "reached" ? " is used up" : used}${resets}`;
}

/** A key may be about a part of an agent: `<agent> <what>`. */
function agentOf(key: string): string {
  return key.split(" ", 1)[0]!;
}
