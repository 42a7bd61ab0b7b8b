/** A ledger as another process finds it: perhaps of an old version, perhaps broken. */
import { readFileSync } from "node:fs";
import type { LedgerOwner } from "./ledger.ts";
import type { Leader } from "./ours.ts";

export interface LedgerContent {
  readonly owner: LedgerOwner;
  /** The leaders of the children that were not seen gone. */
  readonly leaders: readonly Leader[];
  /** Those children, as far as they are known to have started. */
  readonly children: readonly (Leader & { readonly agent: string; readonly session: string | undefined })[];
  /** A start was intended, and nothing was heard of it since. */
  readonly starting: boolean;
}

/** Undefined when it is not a ledger; throws only when the file cannot be read. Broken lines after the first are left out. */
export function readLedger(path: string): LedgerContent | undefined {
  const [first, ...lines] = readFileSync(path, "utf8").split("\n").map(parseRecord);
  if (!first) return undefined;
  const { run, pid, start, place } = first;
  if (typeof run !== "string" || !isPid(pid) || typeof place !== "string") return undefined;
  const leaders = new Map<unknown, LedgerContent["children"][number] | undefined>();
  for (const line of lines) {
    if (!line) continue;
    const { child, gone, pid: leader } = line;
    if (gone) leaders.delete(child);
    else if (isPid(leader))
      leaders.set(child, {
        pid: leader,
        start: textOrNothing(line["start"]),
        agent: textOrNothing(line["agent"]) ?? "",
        session: textOrNothing(line["session"]),
      });
    else if (typeof child === "string" && !leaders.has(child)) leaders.set(child, undefined);
  }
  const known = [...leaders.values()].filter((leader) => leader !== undefined);
  const owner = { run, pid, start: textOrNothing(start), place };
  const heads = known.map(({ pid: leader, start: began }) => ({ pid: leader, start: began }));
  return { owner, leaders: heads, children: known, starting: known.length < leaders.size };
}

function parseRecord(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** 0 and -1 would signal our own group, and everything. */
function isPid(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value > 1;
}

function textOrNothing(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
