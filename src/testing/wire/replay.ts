/** Plays recordings to a driver instead of an agent. */
import { ReinsError } from "../../events/errors.ts";
import type { Output, Processes } from "../../process/types.ts";
import { Gates } from "../gates.ts";
import { readRecording, type Recording } from "./recording.ts";
import { ReplayedChild, type ReplayOptions } from "./replayed-child.ts";

export interface ReplayWireOptions extends ReplayOptions {
  /** What short commands (`--version` and the like) print; default: nothing, with success. */
  readonly run?: ((args: readonly string[]) => Partial<Output>) | undefined;
}

export interface ReplayedProcesses extends Processes {
  /** Those launched so far. */
  readonly children: readonly ReplayedChild[];
  /** Lets what stands behind a mark of this name be played: in the child that waits there, or the next to come to one. */
  release(mark: string): void;
}

const silent: Output = { stdout: "", stderr: "", timedOut: false, truncated: false, code: 0, signal: null };

/** The first launch plays the first recording (a file or what was read from one), the second the second, and so on. */
export function replayWire(
  recordings: string | Recording | readonly (string | Recording)[],
  options: ReplayWireOptions = {},
): ReplayedProcesses {
  const waiting = [recordings].flat();
  const children: ReplayedChild[] = [];
  const gates = new Gates();
  return {
    children,
    async launch() {
      const next = waiting.shift();
      if (next === undefined) throw new ReinsError("invalid_input", "There is no recording left for this launch.");
      const child = new ReplayedChild(typeof next === "string" ? await readRecording(next) : next, options, gates);
      children.push(child);
      return child;
    },
    release: (mark) => gates.release(mark),
    run: ({ args }) => Promise.resolve({ ...silent, ...options.run?.(args) }),
    reap: () => Promise.resolve(),
    close: async () => void (await Promise.all(children.map((child) => child.stop()))),
  };
}
