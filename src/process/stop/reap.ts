/** Ends what a Reins that died has left behind. Several may do it at once: everything in it may happen twice. */
import { readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { ledgerFolder } from "../home.ts";
import { endAll } from "./end.ts";
import { type LedgerContent, type LedgerOwner, readLedger, removeLedger } from "./ledger.ts";
import { parseMarks, runVariable } from "../table/markers.ts";
import { type ProcessTable, processTable } from "../table/table.ts";

/** How long a start may take whose owner is dead. */
const startMs = 300;
/** A ledger of another machine or container that shares the folder is not ours to judge, but not kept for ever. */
const forgottenMs = 30 * 24 * 3600 * 1000;

export async function reapLedgers(folder: string, table: ProcessTable = processTable()): Promise<void> {
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    try {
      if (name.endsWith(".ndjson")) await reapLedger(path, table);
      else if (isForgotten(path)) rmSync(path, { force: true });
    } catch {
      // Another Reins was faster, or the file cannot be read: the next start tries again.
    }
  }
}

async function reapLedger(path: string, table: ProcessTable): Promise<void> {
  const ledger = readLedger(path);
  if (!ledger) return renameSync(path, `${path}.broken`);
  if (ledger.owner.place !== table.place()) {
    if (isForgotten(path)) removeLedger(path);
    return;
  }
  // A Reins inside the run of a dead one is itself among what is left of it; it cannot be the one that ends it.
  if (parseMarks(process.env[runVariable]).includes(ledger.owner.run)) return;
  if (await isOwnerAlive(ledger.owner, table)) return;
  await endRun(ledger.owner.run, ledger, table);
  removeLedger(path);
}

/** Everything of a run, at once: its owner is dead, so nobody waits for its goodbyes. */
export async function endRun(
  run: string,
  { children: leaders, starting }: Pick<LedgerContent, "children" | "starting">,
  table?: ProcessTable,
): Promise<void> {
  await endAll({ run, leaders }, 0, table);
  if (!starting) return;
  // A child whose owner died in the middle of its start carries no mark until its program is there.
  await setTimeout(startMs);
  await endAll({ run, leaders }, 0, table);
}

export async function isOwnerAlive(owner: LedgerOwner, table: ProcessTable): Promise<boolean> {
  if (owner.start !== undefined) return (await table.startOf(owner.pid)) === owner.start;
  try {
    return process.kill(owner.pid, 0);
  } catch {
    return false;
  }
}

function isForgotten(path: string): boolean {
  return Date.now() - statSync(path).mtimeMs > forgottenMs;
}

export interface ListedProcess {
  readonly agent: string;
  readonly session: string | undefined;
  readonly pid: number;
  /** The pid of the Reins that started it. */
  readonly owner: number;
}

/** The processes that every Reins of this user runs now, by their ledgers. */
export async function listRunning(home: string, table: ProcessTable = processTable()): Promise<ListedProcess[]> {
  const folder = ledgerFolder(home);
  const found: ListedProcess[] = [];
  for (const name of namesIn(folder).filter((one) => one.endsWith(".ndjson"))) {
    const ledger = readIfThere(join(folder, name));
    // Processes of another machine cannot be seen from here.
    if (ledger?.owner.place !== table.place() || !(await isOwnerAlive(ledger.owner, table))) continue;
    for (const { pid, start, agent, session } of ledger.children) {
      if (start === undefined || (await table.startOf(pid)) === start)
        found.push({ agent, session, pid, owner: ledger.owner.pid });
    }
  }
  return found;
}

/** Undefined also where its Reins has just ended. */
function readIfThere(path: string): LedgerContent | undefined {
  try {
    return readLedger(path);
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
