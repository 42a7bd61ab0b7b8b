/** Stops processes that a dead Reins left behind. Several processes may do this at once, so every step may happen twice. */
import { readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { ledgerFolder } from "../home.ts";
import { endAll } from "./end.ts";
import { type LedgerContent, type LedgerOwner, readLedger, removeLedger } from "./ledger.ts";
import { parseMarks, runVariable } from "../table/markers.ts";
import { type ProcessTable, processTable } from "../table/table.ts";

/** How long a start may take after the death of its owner. */
const startMs = 300;
/** After this time a ledger of another machine or container that shares the folder is removed. */
const forgottenMs = 30 * 24 * 3600 * 1000;

export async function reapLedgers(folder: string, table: ProcessTable = processTable()): Promise<void> {
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    try {
      if (name.endsWith(".ndjson")) await reapLedger(path, table);
      else if (isForgotten(path)) rmSync(path, { force: true });
    } catch {
      // Another Reins was faster, or the file cannot be read. The next start tries again.
    }
  }
}

async function reapLedger(path: string, table: ProcessTable): Promise<void> {
  const ledger = readLedger(path);
  if (!ledger) return renameSync(path, `${path}.broken`);
  if (ledger.owner.place !== table.host()) {
    if (isForgotten(path)) removeLedger(path);
    return;
  }
  // A Reins inside the run of a dead one belongs to that run and must not stop it.
  if (parseMarks(process.env[runVariable]).includes(ledger.owner.run)) return;
  if (await isOwnerAlive(ledger.owner, table)) return;
  await endRun(ledger.owner.run, ledger, table);
  removeLedger(path);
}

/** Kills every process of a run whose owner is dead. */
export async function endRun(
  run: string,
  { children: leaders, starting }: Pick<LedgerContent, "children" | "starting">,
  table?: ProcessTable,
): Promise<void> {
  await endAll({ run, leaders }, 0, table);
  if (!starting) return;
  // A child whose owner died during its start has no mark until its program runs.
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

/** Lists the processes of every Reins of this user, by their ledgers. */
export async function listRunning(home: string, table: ProcessTable = processTable()): Promise<ListedProcess[]> {
  const folder = ledgerFolder(home);
  const found: ListedProcess[] = [];
  for (const name of namesIn(folder).filter((one) => one.endsWith(".ndjson"))) {
    const ledger = readIfThere(join(folder, name));
    if (ledger?.owner.place !== table.host() || !(await isOwnerAlive(ledger.owner, table))) continue;
    for (const { pid, start, agent, session } of ledger.children) {
      if (start === undefined || (await table.startOf(pid)) === start)
        found.push({ agent, session, pid, owner: ledger.owner.pid });
    }
  }
  return found;
}

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
