/** Ends everything a claim covers, however it forks meanwhile. */
import { setTimeout } from "node:timers/promises";
import { type Claim, ownedProcesses } from "../table/owned.ts";
import { type ProcessEntry, type ProcessTable, processTable } from "../table/table.ts";

/** Between two looks at the table, while something is ending and when nothing was found. */
const pauseMs = 10;
const shortPauseMs = 1;
/** A process that a KILL does not end hangs in the kernel; nobody can end it. */
const patienceMs = 5_000;
/** TERM first, and KILL when `graceMs` is over; without grace KILL at once. */
export async function endAll(claim: Claim, graceMs: number, table: ProcessTable = processTable()): Promise<void> {
  const asked = new Set<string>();
  const began = performance.now();
  const first = firstStart(claim);
  // Twice clean, because a process that forks while the table is read may show neither itself nor its child.
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
 * What was there before the leader of a child is none of that child. Of a run it may be: its first leader may be gone, and what that had started not.
 * Zero too where start times cannot be compared: they are numbers where environments can be read.
 */
function firstStart({ run, leaders }: Claim): number {
  const first = run === undefined ? Math.min(...leaders.map(({ start }) => Number(start ?? 0))) : 0;
  return Number.isFinite(first) ? first : 0;
}

/**
 * One that starts another program in its place shows no environment until that is done, however long it has to wait for a processor. When it
 * has left its group and lost its parent, nothing else tells then that it is ours.
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
    // It is gone already, or runs as another user and is not ours to end.
  }
}
