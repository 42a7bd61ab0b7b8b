/** What is left of a Reins that ran with a folder of its own as HOME and REINS_HOME. It looks for the folder, not for our marks. */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { isAlive } from "./processes.ts";

/** By the environment, which everything inherits, or the arguments: a guardian's environment is empty. */
export function processesOf(home: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && (mentions(pid, "environ", home) || mentions(pid, "cmdline", home)))
    .filter(isAlive);
}

/** The files in the folder of ledgers, where REINS_HOME is the home or `reins` in it. */
export function ledgersIn(home: string): string[] {
  return [join(home, "run"), join(home, "reins", "run")].flatMap((folder) => {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  });
}

/** Resolves with the milliseconds it took until nothing was there, twice in a row; fails after the deadline. */
export async function nothingLeft(home: string, deadlineMs = 30_000): Promise<number> {
  const began = performance.now();
  for (let clean = 0; clean < 2;) {
    const ledgers = ledgersIn(home);
    // The ledger goes last and is quickly looked at; the processes are not.
    clean = ledgers.length === 0 && processesOf(home).length === 0 ? clean + 1 : 0;
    if (clean === 0 && performance.now() - began > deadlineMs)
      throw new Error(`Left after ${deadlineMs} ms: ${describe(processesOf(home), ledgers)}`);
    if (clean < 2) await setTimeout(clean === 1 ? 5 : 20);
  }
  return performance.now() - began;
}

/** For tests that failed: ends what they left, so that the machine is as it was. */
export function sweep(home: string): void {
  for (const pid of processesOf(home)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It is gone meanwhile.
    }
  }
  rmSync(home, { recursive: true, force: true });
}

function mentions(pid: number, file: "environ" | "cmdline", home: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/${file}`).includes(home);
  } catch {
    return false;
  }
}

function describe(pids: readonly number[], ledgers: readonly string[]): string {
  const commands = pids.map((pid) => {
    try {
      return `${pid} ${readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ").trim().slice(0, 200)}`;
    } catch {
      return String(pid);
    }
  });
  return [...commands, ...ledgers.map((name) => `run/${name}`)].join("; ");
}
