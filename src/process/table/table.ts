import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fields, linuxTable } from "./linux.ts";
import type { Marks } from "./markers.ts";
import { psTable } from "./ps.ts";

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Start time. With the pid it identifies a process, because pids alone are reused. */
  readonly start: string;
  /** From the environment; undefined without marks, or when the environment cannot be read. */
  readonly marks?: Marks | undefined;
  /** Shows no environment, because the process is in the middle of an `exec`. */
  readonly hidden?: true | undefined;
}

export interface ProcessTable {
  /** Lists every living process, without zombies. `since`: environments of older processes are not read, if start times can be compared. */
  read(since?: number): Promise<readonly ProcessEntry[]>;
  /** Undefined: no such process, or unknown on this platform. */
  startOf(pid: number): Promise<string | undefined>;
  /** The start time of a child that was just started, even if it has ended: its pid is not reused before Node reports the exit. */
  startOfChild(pid: number): Promise<string | undefined>;
  /** The machine and its pid namespace. Elsewhere the same pid means another process. */
  host(): string;
}

/** Windows shows neither start times nor environments without a shell, so nothing is reaped there. */
const noTable: ProcessTable = {
  read: () => Promise.resolve([]),
  startOf: () => Promise.resolve(undefined),
  startOfChild: () => Promise.resolve(undefined),
  host: () => "windows",
};

export function processTable(platform: NodeJS.Platform = process.platform): ProcessTable {
  if (platform === "linux") return linuxTable;
  return platform === "win32" ? noTable : psTable;
}

/** The page size on every Linux except some on ARM. */
const pageBytes = 4096;

/** Memory of process groups in bytes; undefined except on Linux. */
export async function memoryOf(
  groups: ReadonlySet<number>,
  platform: NodeJS.Platform = process.platform,
  proc = "/proc",
): Promise<number | undefined> {
  if (platform !== "linux") return undefined;
  if (groups.size === 0) return 0;
  const pids = (await readdir(proc).catch(() => [])).filter((name) => /^\d+$/.test(name));
  // A mounted /proc contains at least this process.
  if (pids.length === 0) return undefined;
  const stats = await Promise.all(pids.map((pid) => readFile(join(proc, pid, "stat"), "latin1").catch(() => "")));
  let pages = 0;
  for (const stat of stats) {
    const found = fields(stat);
    if (groups.has(Number(found[2]))) pages += Number(found[21]) || 0;
  }
  return pages * pageBytes;
}
