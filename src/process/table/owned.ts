/** Decides which processes belong to a run or to one of its children. Without proof, a process does not belong to Reins. */
import type { ProcessEntry } from "./table.ts";

/** The first process of a child; it leads its own group and session. */
export interface Leader {
  readonly pid: number;
  readonly start: string | undefined;
}

export interface Claim {
  /** Claims every process with this mark of a run. */
  readonly run?: string | undefined;
  /** Claims every process with this mark of a child. */
  readonly child?: string | undefined;
  readonly leaders: readonly Leader[];
  /** The leaders ended a moment ago, so a group with their number is still theirs. Later the number may be reused. */
  readonly fresh?: boolean | undefined;
}

export function ownedProcesses(
  table: readonly ProcessEntry[],
  claim: Claim,
  self: number = process.pid,
): ProcessEntry[] {
  const byPid = new Map(table.map((entry) => [entry.pid, entry]));
  const groups = new Set(
    claim.leaders.filter((leader) => isTheirs(byPid.get(leader.pid), leader, claim)).map(({ pid }) => pid),
  );
  const spared = lineOf(self, byPid);
  const found = new Set<ProcessEntry>();
  const take = (entry: ProcessEntry): void => {
    if (!spared.has(entry.pid)) found.add(entry);
  };
  for (const entry of table) {
    const marked =
      (claim.run !== undefined && entry.marks?.runs.includes(claim.run)) ||
      (claim.child !== undefined && entry.marks?.children.includes(claim.child));
    if (marked || groups.has(entry.group) || groups.has(entry.session)) take(entry);
  }
  const children = Map.groupBy(table, (entry) => entry.parent);
  // Also children with another environment. The loop visits entries that are added to the Set meanwhile.
  for (const entry of found) children.get(entry.pid)?.forEach(take);
  return [...found];
}

function isTheirs(holder: ProcessEntry | undefined, leader: Leader, claim: Claim): boolean {
  if (leader.start === undefined) return false;
  return holder ? holder.start === leader.start : claim.fresh === true;
}

/** This process, its ancestors and the init process are never stopped. */
function lineOf(self: number, byPid: ReadonlyMap<number, ProcessEntry>): ReadonlySet<number> {
  const line = new Set([0, 1]);
  for (let pid: number | undefined = self; pid !== undefined && !line.has(pid); pid = byPid.get(pid)?.parent)
    line.add(pid);
  return line;
}
