/** Which processes there are on this machine: what the reaper, the guardian and `stop` decide by. */
import type { Marks } from "./mark.ts";
import { linuxTable } from "./table-linux.ts";
import { psTable } from "./table-ps.ts";

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
