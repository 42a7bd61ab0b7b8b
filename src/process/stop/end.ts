/** Stops everything that a claim covers, even while it forks. */
import { setTimeout } from "node:timers/promises";
import { type Claim, ownedProcesses } from "../table/owned.ts";
import { type ProcessEntry, type ProcessTable, processTable } from "../table/table.ts";

/** Between two reads of the table: while something ends, and when nothing was found. */
const pauseMs = 10;
const shortPauseMs = 1;
/** A process that survives KILL hangs in the kernel. */
const patienceMs = 5_000;

/** TERM first, and KILL when `graceMs` is over; without grace KILL at once. */
export async function endAll(claim: Claim, graceMs: number, table: ProcessTable = processTable()): Promise<void> {
  const asked = new Set<string>();
  const began = performance.now();
  const first = firstStart(claim);
  // Twice clean: a process that forks while the table is read may show neither itself nor its child.
  for (let clean = 0; clean < 2 && performance.now() - began < graceMs + patienceMs;) {
    const entries = await table.read(first);
    const left = ownedProcesses(entries, claim);
    clean = left.length === 0 && !mayHide(entries, first) ? clean + 1 : 0;
    const politely = performance.now() - began < graceMs;
    for (const entry of left) {
      const name = nameOf(entry);
      if (!politely) await signal(entry, "SIGKILL", table);
      else if (!asked.has(name)) await signal(entry, "SIGTERM", table);
      asked.add(name);
    }
    if (clean < 2) await setTimeout(clean === 1 ? shortPauseMs : pauseMs);
  }
}

/**
 * Processes older than the leader of a child do not belong to it. For a run this is unknown: its first leader may be gone. Zero also where start
 * times are no numbers.
 */
function firstStart({ run, leaders }: Claim): number {
  const first = run === undefined ? Math.min(...leaders.map(({ start }) => Number(start ?? 0))) : 0;
  return Number.isFinite(first) ? first : 0;
}

/**
 * During `exec` a process shows no environment. If it has left its group and lost its parent, nothing shows meanwhile that it is ours.
 */
function mayHide(entries: readonly ProcessEntry[], first: number): boolean {
  return entries.some(({ hidden, start }) => hidden === true && Number(start) >= first);
}

function nameOf(entry: ProcessEntry): string {
  return `${entry.pid} ${entry.start}`;
}

async function signal(entry: ProcessEntry, name: NodeJS.Signals, table: ProcessTable): Promise<void> {
  if ((await table.startOf(entry.pid)) !== entry.start) return;
  try {
    process.kill(entry.pid, name);
  } catch {
    // It is gone, or runs as another user.
  }
}
