/** Stops every process that a claim covers, even while they fork. */
import { setTimeout } from "node:timers/promises";
import { type Claim, ownedProcesses } from "../table/owned.ts";
import { type ProcessEntry, type ProcessTable, processTable } from "../table/table.ts";

/** Pauses between two reads of the table: while processes end, and after a read that found none. */
const pauseMs = 10;
const shortPauseMs = 1;
/** A process that survives KILL for this long hangs in the kernel. */
const patienceMs = 5_000;

/** Sends TERM first, and KILL after `graceMs`; without grace, KILL at once. */
export async function endAll(claim: Claim, graceMs: number, table: ProcessTable = processTable()): Promise<void> {
  const asked = new Set<string>();
  const began = performance.now();
  const first = firstStart(claim);
  // Require two clean reads: a process that forks while the table is read may show neither itself nor its child.
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
 * Processes older than the leader of a child do not belong to it. Returns 0 for a run, whose first leader may be gone, and when start times
 * are not numbers.
 */
function firstStart({ run, leaders }: Claim): number {
  const first = run === undefined ? Math.min(...leaders.map(({ start }) => Number(start ?? 0))) : 0;
  return Number.isFinite(first) ? first : 0;
}

/**
 * During `exec` a process shows no environment. If it has also left its group and lost its parent, nothing proves for a moment that it
 * belongs to Reins.
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
    // The process is gone, or runs as another user.
  }
}
