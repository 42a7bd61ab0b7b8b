/** Plays recordings to a driver instead of running an agent. */
import type { AgentContext, AgentEntry } from "../../agents/contract.ts";
import { ReinsError } from "../../events/errors.ts";
import type { Output, Processes } from "../../process/types.ts";
import { Gates } from "../barriers.ts";
import { recordWire, readRecording, type RecordOptions, type Recording } from "./record.ts";
import { ReplayedChild, type ReplayOptions } from "./replayed-child.ts";

/** Options of `replayWire`. */
export interface ReplayWireOptions extends ReplayOptions {
  /** Output of short commands such as `--version`. Default: no output, with success. */
  readonly run?: ((args: readonly string[]) => Partial<Output>) | undefined;
}

/** Processes that play recordings instead of running programs. */
export interface ReplayedProcesses extends Processes {
  /** The replayed children, oldest first. */
  readonly children: readonly ReplayedChild[];
  /** Continues at a mark of this name: in the child that waits there, or else the next to reach one. */
  release(mark: string): void;
}

const silent: Output = { stdout: "", stderr: "", timedOut: false, truncated: false, code: 0, signal: null };

/**
 * Creates processes that play recordings. The first launch plays the first recording (a file, or the result of `readRecording`), the second
 * launch the second, and so on.
 */
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

/** Returns the agent with other processes. */
export function withProcesses(entry: AgentEntry, replace: (context: AgentContext) => Processes): AgentEntry {
  const load: AgentEntry["load"] = async () => {
    const { createAgent } = await entry.load();
    return { createAgent: (context, id) => createAgent({ ...context, processes: replace(context) }, id) };
  };
  return { ...entry, load };
}

/** Returns the agent with every process of its sessions recorded in a folder, for `createReins({ agents })`. */
export function recordAgent(
  entry: AgentEntry,
  folder: string,
  options: Pick<RecordOptions, "onChild"> = {},
): AgentEntry {
  return withProcesses(entry, ({ processes, redact }) => recordWire(processes, { folder, redact, ...options }));
}

/** Returns the agent with recordings instead of its program, for `createReins({ agents })`. */
export function replayAgent(
  entry: AgentEntry,
  recordings: Parameters<typeof replayWire>[0],
  options?: ReplayWireOptions,
): AgentEntry {
  return withProcesses(entry, () => replayWire(recordings, options));
}
