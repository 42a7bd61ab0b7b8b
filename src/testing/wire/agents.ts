/** Recorders and replays for `createReins({ agents })`: the same agent over other processes. */
import type { AgentContext, AgentEntry } from "../../agents/contract.ts";
import type { Processes } from "../../process/types.ts";
import { recordWire, type RecordOptions } from "./record.ts";
import { replayWire, type ReplayWireOptions } from "./replay.ts";

/** The agent over other processes. */
export function withProcesses(entry: AgentEntry, replace: (context: AgentContext) => Processes): AgentEntry {
  const load: AgentEntry["load"] = async () => {
    const { createAgent } = await entry.load();
    return { createAgent: (context, id) => createAgent({ ...context, processes: replace(context) }, id) };
  };
  return { ...entry, load };
}

/** The agent, with every process of its sessions recorded into a folder. */
export function recordAgent(
  entry: AgentEntry,
  folder: string,
  options: Pick<RecordOptions, "onChild"> = {},
): AgentEntry {
  return withProcesses(entry, ({ processes, redact }) => recordWire(processes, { folder, redact, ...options }));
}

/** The agent without its program: recordings answer instead. */
export function replayAgent(
  entry: AgentEntry,
  recordings: Parameters<typeof replayWire>[0],
  options?: ReplayWireOptions,
): AgentEntry {
  return withProcesses(entry, () => replayWire(recordings, options));
}
