/** The guardian process: stops everything when its Reins has died. Only that Reins holds the other end of its stdin. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { SharedChanges } from "../borrowed-files/borrow.ts";
import { recordsFolder } from "../borrowed-files/records.ts";
import { type LedgerContent, readLedger, removeLedger } from "./ledger.ts";
import { endRun } from "./reap.ts";

// A signal that ends Reins may be sent to its whole process group.
for (const name of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const) process.on(name, () => {});

const [path = "", run = ""] = process.argv.slice(2);
// Blocks until Reins is gone; returns at once if the shell has already waited.
if (readFileSync(0, "utf8").trim() !== "done") {
  const ledger = recorded();
  if (process.platform === "win32")
    for (const { pid } of ledger.children) spawnSync("taskkill", ["/pid", String(pid), "/T", "/F"]);
  await endRun(run, ledger);
  // After the processes, because they may need the files.
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
