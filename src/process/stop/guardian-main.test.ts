import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { isAlive, temporaryFolder } from "../../../test/support/processes.ts";
import { Guardian } from "./guardian.ts";
import { Ledger } from "./ledger.ts";
import { processTable } from "../table/table.ts";

const main = fileURLToPath(new URL("./guardian-main.ts", import.meta.url));
const startSleep = (env: NodeJS.ProcessEnv = {}): ChildProcess =>
  spawn("sleep", ["60"], { detached: true, stdio: "ignore", env: { PATH: process.env["PATH"], ...env } });

/** Starts a process that is surely younger: start times count in hundredths of a second. */
async function startedAfter({ pid = 0 }: ChildProcess): Promise<ChildProcess> {
  const table = processTable();
  for (;;) {
    const child = startSleep();
    if ((await table.startOf(child.pid ?? 0)) !== (await table.startOf(pid))) return child;
    child.kill("SIGKILL");
  }
}

/** Runs guardian-main without the waiting shell, as on a system without a shell. */
async function guard(path: string, run: string, lastWord: string): Promise<void> {
  const guardian = spawn(process.execPath, [main, path, run], { stdio: ["pipe", "ignore", "ignore"] });
  guardian.stdin.end(lastWord);
  await once(guardian, "exit");
}

test.runIf(process.platform === "linux")(
  "ends marked and recorded processes only, and removes the ledger",
  async () => {
    using folder = temporaryFolder();
    const table = processTable();
    const run = `guardian-main-test-${process.pid}`;
    // Older than every recorded process, because its starter may be gone.
    const marked = startSleep({ REINS_RUN: run });
    const recorded = await startedAfter(marked);
    const [gone, stranger] = [startSleep(), startSleep({ REINS_RUN: "other" })];
    const ledger = new Ledger(folder.path, { run, pid: process.pid, start: undefined, place: table.host() });
    for (const { pid = 0 } of [recorded, gone]) {
      ledger.intend({ child: String(pid), agent: "test" });
      ledger.started({ child: String(pid), agent: "test", pid, start: await table.startOf(pid) });
    }
    ledger.gone({ child: String(gone.pid), agent: "test" });

    await guard(ledger.path, run, "done\n");
    expect([marked, recorded, gone, stranger].map(({ pid = 0 }) => isAlive(pid))).toEqual([true, true, true, true]);
    await guard(ledger.path, run, "");
    expect([marked, recorded, gone, stranger].map(({ pid = 0 }) => isAlive(pid))).toEqual([false, false, true, true]);
    expect(existsSync(ledger.path)).toBe(false);

    // Without a ledger, the marks are enough.
    const late = startSleep({ REINS_RUN: run });
    await guard(join(folder.path, "none"), run, "");
    expect(isAlive(late.pid ?? 0)).toBe(false);
    for (const child of [gone, stranger]) child.kill("SIGKILL");
  },
);

test("waits in Node without a shell, and throws when it cannot be started", async () => {
  const guardian = new Guardian("/none", "guardian-main-test", () => true, "/no/such/shell");
  guardian.watch();
  guardian.watch();
  await guardian.leave();
  await guardian.leave();
  const { execPath } = process;
  process.execPath = "/no/such/node";
  try {
    expect(() => new Guardian("/none", "guardian-main-test", () => true, "/no/such/shell").watch()).toThrow(
      /could not be started/,
    );
  } finally {
    process.execPath = execPath;
  }
});
