/** The process table of Linux, from /proc. */
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from "node:fs";
import { hostname } from "node:os";
import { setImmediate } from "node:timers/promises";
import { marksOf } from "./markers.ts";
import type { ProcessEntry, ProcessTable } from "./table.ts";

/** Reading a process takes about 30 microseconds; yield after this many. */
const atOnce = 32;

export const linuxTable: ProcessTable = {
  async read(since = 0) {
    const entries: ProcessEntry[] = [];
    let count = 0;
    for (const pid of pids()) {
      if (++count % atOnce === 0) await setImmediate();
      const found = readStat(pid);
      if (!found) continue;
      const { entry, hasProgram } = found;
      if (Number(entry.start) < since) {
        entries.push(entry);
        continue;
      }
      const environ = readBytes(`/proc/${pid}/environ`);
      const marks = environ && marksOf(environ);
      // Read again, because the process may have run another program at the first read.
      const hidden = hasProgram && environ?.length === 0 && readStat(pid)?.isBare === false;
      entries.push(marks ? { ...entry, marks } : hidden ? { ...entry, hidden } : entry);
    }
    return entries;
  },
  startOf: (pid) => Promise.resolve(readStat(pid)?.entry.start),
  startOfChild: (pid) => Promise.resolve(startIn(readLine(pid) ?? "")),
  host() {
    try {
      return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${readlinkSync("/proc/self/ns/pid")}`;
    } catch {
      return hostname();
    }
  },
};

/** Returns an empty list if /proc is not mounted; then nothing is stopped. */
function pids(): number[] {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function readStat(pid: number): Stat | undefined {
  const line = readLine(pid);
  return line === undefined ? undefined : statOf(pid, line);
}

function readLine(pid: number): string | undefined {
  return readBytes(`/proc/${pid}/stat`)?.toString("latin1");
}

let room = Buffer.allocUnsafe(0);

/** Returns the content of a file, valid until the next call; undefined when the process is gone or not readable. */
function readBytes(path: string): Buffer | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    if (room.length === 0) room = Buffer.allocUnsafeSlow(64 * 1024);
    let length = 0;
    for (;;) {
      const read = readSync(file, room, length, room.length - length, null);
      length += read;
      if (read === 0) return room.subarray(0, length);
      if (length === room.length) room = Buffer.concat([room], length * 2);
    }
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** A line of `/proc/<pid>/stat`. */
interface Stat {
  readonly entry: ProcessEntry;
  /** The process runs a program, so it has an environment. */
  readonly hasProgram: boolean;
  /** The environment is known to be empty. During `exec` that is unknown. */
  readonly isBare: boolean;
}

/** Flags of processes without an environment. */
const exiting = 0x4;
const kernelThread = 0x200000;

/** Returns undefined for a dead process. */
export function statOf(pid: number, line: string): Stat | undefined {
  const [state, parent, group, session, ...rest] = fields(line);
  const start = startIn(line);
  if (state === undefined || state === "Z" || state === "X" || start === undefined) return undefined;
  const entry = { pid, parent: Number(parent), group: Number(group), session: Number(session), start };
  const [begin = "0", end = "0"] = rest.slice(43, 45);
  return {
    entry,
    hasProgram: (Number(rest[2]) & (exiting | kernelThread)) === 0,
    isBare: end !== "0" && begin === end,
  };
}

/** The start time, also of a dead process. */
export function startIn(line: string): string | undefined {
  return fields(line)[19];
}

/** The fields from the third on. The second is the name in parentheses, which may contain any characters. */
export function fields(line: string): string[] {
  return line.slice(line.lastIndexOf(")") + 2).split(" ");
}
