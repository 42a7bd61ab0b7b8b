/** Ends everything a claim covers, however it forks meanwhile. */
import { setTimeout } from "node:timers/promises";
import { type Claim, ours } from "./ours.ts";
import { type ProcessEntry, type ProcessTable, processTable } from "./table.ts";

/** Between two looks at the table, while something is ending and when nothing was found. */
const pauseMs = 10;
const shortPauseMs = 1;
/** A process that a KILL does not end hangs in the kernel; nobody can end it. */
const patienceMs = 5_000;

/** TERM first, and KILL when `graceMs` is over; without grace KILL at once. */
export async function endAll(claim: Claim, graceMs: number, table: ProcessTable = processTable()): Promise<void> {
  const asked = new Set<string>();
  const began = performance.now();
  // Twice clean, because a process that forks while the table is read may show neither itself nor its child.
  for (let clean = 0; clean < 2 && performance.now() - began < graceMs + patienceMs;) {
    const left = ours(await table.read(), claim);
    clean = left.length === 0 ? clean + 1 : 0;
    const politely = performance.now() - began < graceMs;
    for (const entry of left) {
      const name = `${entry.pid} ${entry.start}`;
      if (!politely) await signal(entry, "SIGKILL", table);
      else if (!asked.has(name)) await signal(entry, "SIGTERM", table);
      asked.add(name);
    }
    if (clean < 2) await setTimeout(clean === 1 ? shortPauseMs : pauseMs);
  }
}

async function signal(entry: ProcessEntry, name: NodeJS.Signals, table: ProcessTable): Promise<void> {
  if ((await table.startOf(entry.pid)) !== entry.start) return;
  try {
    process.kill(entry.pid, name);
  } catch {
    // It is gone already, or runs as another user and is not ours to end.
  }
}
