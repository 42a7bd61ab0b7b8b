/** A line of Linux's `/proc/<pid>/stat`. */
import type { ProcessEntry } from "./table.ts";

export interface Stat {
  readonly entry: ProcessEntry;
  /** It runs a program, and so has an environment, be it an empty one. */
  readonly hasProgram: boolean;
  /** Its program was begun with an environment in which nothing stands. While one is being put in another's place that is not known yet. */
  readonly isBare: boolean;
}

/** In the flags of a process: it is about to be gone, or a part of the kernel. Neither has an environment. */
const exiting = 0x4;
const kernelThread = 0x200000;

/** Undefined of one that is dead, or no such line. */
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

/** When it was started, also of one that is dead. */
export function startIn(line: string): string | undefined {
  return fields(line)[19];
}

/** From the third on. The second is the program's name in parentheses, with any characters in it. */
function fields(line: string): string[] {
  return line.slice(line.lastIndexOf(")") + 2).split(" ");
}
