/** The program that ends everything when its Reins is gone. Its stdin is a pipe whose other end only that Reins holds. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { SharedChanges } from "../borrowed-files/borrow.ts";
import { recordsFolder } from "../borrowed-files/records.ts";
import { type LedgerContent, readLedger, removeLedger } from "./ledger.ts";
import { endRun } from "./reap.ts";

// Whoever ends Reins with a signal may send it to everything around it.
for (const name of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const) process.on(name, () => {});

const [path = "", run = ""] = process.argv.slice(2);
// Blocks until Reins is gone; where the shell has waited already, it returns at once.
if (readFileSync(0, "utf8").trim() !== "done") {
  const ledger = recorded();
  if (process.platform === "win32")
    for (const { pid } of ledger.children) spawnSync("taskkill", ["/pid", String(pid), "/T", "/F"]);
  await endRun(run, ledger);
  // After the processes: as long as one lives, it may still need them.
  new SharedChanges(recordsFolder(dirname(dirname(path)))).releaseRun(run);
  removeLedger(path);
}

function recorded(): Pick<LedgerContent, "children" | "starting"> {
  const nothing = { children: [], starting: false };
  try {
    return readLedger(path) ?? nothing;
  } catch {
    return nothing;
  }
}
