/** What every Reins of this person runs now, by their ledgers. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ledgerFolder } from "./home.ts";
import type { LedgerContent } from "./ledger-read.ts";
import { readLedger } from "./ledger-read.ts";
import { isOwnerAlive } from "./reap.ts";
import { type ProcessTable, processTable } from "./table.ts";

export interface ListedProcess {
  readonly agent: string;
  readonly session: string | undefined;
  readonly pid: number;
  /** The Reins that started it. */
  readonly owner: number;
}

export async function listRunning(home: string, table: ProcessTable = processTable()): Promise<ListedProcess[]> {
  const found: ListedProcess[] = [];
  for (const ledger of ledgersIn(ledgerFolder(home))) {
    // What is of another machine cannot be seen from here.
    if (ledger.owner.place !== table.place() || !(await isOwnerAlive(ledger.owner, table))) continue;
    for (const { pid, start, agent, session } of ledger.children) {
      if (start === undefined || (await table.startOf(pid)) === start)
        found.push({ agent, session, pid, owner: ledger.owner.pid });
    }
  }
  return found;
}

function ledgersIn(folder: string): LedgerContent[] {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith(".ndjson"));
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    try {
      return readLedger(join(folder, name)) ?? [];
    } catch {
      // Its Reins has just ended.
      return [];
    }
  });
}
