/** Finds what is left of a Reins that ran with its own HOME and REINS_HOME. Searches for the folder, not for our marks. */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { isAlive } from "./processes.ts";

/** Matches the environment, which children inherit, or the arguments: a guardian's environment is empty. */
export function processesOf(home: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && (mentions(pid, "environ", home) || mentions(pid, "cmdline", home)))
    .filter(isAlive);
}

/** The ledger files, when REINS_HOME is the home or `reins` in it. */
export function ledgersIn(home: string): string[] {
  return [join(home, "run"), join(home, "reins", "run")].flatMap((folder) => {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  });
}

/** Resolves with the milliseconds until nothing was left, checked twice in a row; fails after the deadline. */
export async function nothingLeft(home: string, deadlineMs = 30_000): Promise<number> {
  const began = performance.now();
  for (let clean = 0; clean < 2;) {
    const ledgers = ledgersIn(home);
    // Check the ledger first: it is removed last and is quick to check, unlike the processes.
    clean = ledgers.length === 0 && processesOf(home).length === 0 ? clean + 1 : 0;
    if (clean === 0 && performance.now() - began > deadlineMs)
      throw new Error(`Left after ${deadlineMs} ms: ${describe(processesOf(home), ledgers)}`);
    if (clean < 2) await setTimeout(clean === 1 ? 5 : 20);
  }
  return performance.now() - began;
}

export function sweep(home: string): void {
  for (const pid of processesOf(home)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // The process is already gone.
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
