/** Which processes there are on this machine: what the reaper, the guardian and `stop` decide by. */
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
  /** Together with the pid it names one process for ever; pids alone are reused. */
  readonly start: string;
  /** What its environment says; undefined without marks, or where it cannot be read. */
  readonly marks?: Marks | undefined;
  /** It shows no environment yet: it is just putting another program in its place. */
  readonly hidden?: true | undefined;
}

export interface ProcessTable {
  /**
   * Every living process; the dead that nobody has waited for yet are not among them. `since`: the environment of what was started before is
   * not looked at, where start times can be compared.
   */
  read(since?: number): Promise<readonly ProcessEntry[]>;
  /** Undefined: there is no such process, or it cannot be known here. */
  startOf(pid: number): Promise<string | undefined>;
  /** Of a child that was just started, also where it has ended already: nobody else has its pid before we hear of that. */
  startOfChild(pid: number): Promise<string | undefined>;
  /** The machine and the space of pids in it: elsewhere the same pid means another process. */
  place(): string;
}

/** Windows tells neither start times nor environments without a shell: nothing is known there, so nothing is reaped. */
const noTable: ProcessTable = {
  read: () => Promise.resolve([]),
  startOf: () => Promise.resolve(undefined),
  startOfChild: () => Promise.resolve(undefined),
  place: () => "windows",
};

export function processTable(platform: NodeJS.Platform = process.platform): ProcessTable {
  if (platform === "linux") return linuxTable;
  return platform === "win32" ? noTable : psTable;
}

/** As on every Linux that Node runs on, but for some with ARM. */
const pageBytes = 4096;

/** Bytes of everything in these process groups; undefined where it cannot be known: Linux alone tells it cheaply. */
export async function memoryOf(
  groups: ReadonlySet<number>,
  platform: NodeJS.Platform = process.platform,
  proc = "/proc",
): Promise<number | undefined> {
  if (platform !== "linux") return undefined;
  if (groups.size === 0) return 0;
  const pids = (await readdir(proc).catch(() => [])).filter((name) => /^\d+$/.test(name));
  // Where it is there, we ourselves are in it.
  if (pids.length === 0) return undefined;
  const stats = await Promise.all(pids.map((pid) => readFile(join(proc, pid, "stat"), "latin1").catch(() => "")));
  let pages = 0;
  for (const stat of stats) {
    const found = fields(stat);
    if (groups.has(Number(found[2]))) pages += Number(found[21]) || 0;
  }
  return pages * pageBytes;
}
