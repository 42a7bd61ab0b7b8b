/**
 * A Reins that borrows a file and gives it back, and is killed with SIGKILL before its `n`th disk operation: `node lender.ts <home> <root>
 * <run> <guardian|alone> <borrow|reap> <n>`. Prints `done` when it finished.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { lendSpec } from "./lend-spec.ts";
import { testProcesses } from "./processes.ts";

const [home = "", root = "", runId = "", guardian = "", what = "", n = "0"] = process.argv.slice(2);
let left = Number(n);

/** All operations that change the disk, and some that only read. */
const steps = [
  ...(["openSync", "writeFileSync", "fsyncSync", "closeSync", "fchmodSync", "renameSync", "linkSync"] as const),
  ...(["unlinkSync", "rmSync", "rmdirSync", "mkdirSync", "lstatSync"] as const),
];

function arm(): void {
  for (const name of steps) {
    const original = fs[name] as (...args: unknown[]) => unknown;
    Object.assign(fs, {
      [name]: (...args: unknown[]) => {
        if (--left === 0) process.kill(process.pid, "SIGKILL");
        return original(...args);
      },
    });
  }
  syncBuiltinESMExports();
}

const processes = testProcesses(home, { runId, guardian: guardian === "guardian" });
// Borrow another file first, so that the guardian runs: the test is about the guardian.
if (guardian === "guardian")
  await processes.files!.borrow(lendSpec(root, "other.json")).then((other) => other.giveBack());
arm();
if (what === "reap") await processes.reap();
else (await processes.files!.borrow(lendSpec(root))).giveBack();
await processes.close();
console.log("done");
