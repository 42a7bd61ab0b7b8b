/** Linux: everything is in /proc. */
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from "node:fs";
import { hostname } from "node:os";
import { setImmediate } from "node:timers/promises";
import { marksOf } from "./markers.ts";
import type { ProcessEntry, ProcessTable } from "./table.ts";

/** Reading one process takes some 30 microseconds; after this many others get their turn. */
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
      // Asked only now: when it was looked at first it may have run another program.
      const hidden = hasProgram && environ?.length === 0 && readStat(pid)?.isBare === false;
      entries.push(marks ? { ...entry, marks } : hidden ? { ...entry, hidden } : entry);
    }
    return entries;
  },
  startOf: (pid) => Promise.resolve(readStat(pid)?.entry.start),
  startOfChild: (pid) => Promise.resolve(startIn(readLine(pid) ?? "")),
  place() {
    try {
      return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${readlinkSync("/proc/self/ns/pid")}`;
    } catch {
      return hostname();
    }
  },
};

/** None where /proc is not mounted: then nothing is known, so nothing is ended. */
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

/** Room for nearly every environment; a longer one costs a second reading. */
let room = Buffer.allocUnsafe(0);

/** The file as it is now, valid until the next call; undefined when the process is gone or not ours to look at. */
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
  /** It runs a program, and so has an environment, be it an empty one. */
  readonly hasProgram: boolean;
  /** Its program was begun with an environment in which nothing stands. While one is being put in another's place that is not known yet. */
  readonly isBare: boolean;
}

/** In the flags of a process: it is about to be gone, or a part of the kernel. Neither has an environment. */
const exiting = 0x4;
const kernelThread = 0x200000;

/** Undefined for a process that is dead, or no such line. */
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

/** The start time, also of a process that is dead. */
export function startIn(line: string): string | undefined {
  return fields(line)[19];
}

/** The fields from the third on. The second is the program's name in parentheses, with any characters in it. */
export function fields(line: string): string[] {
  return line.slice(line.lastIndexOf(")") + 2).split(" ");
}
