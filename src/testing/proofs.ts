/** Loads from the agents' folders how each agent is pointed at a scripted model. */
import type { AgentContext, AgentEntry, Proof } from "../agents/contract.ts";
import { agentEntries } from "../agents/index.ts";
import { defaultDeadlines } from "../events/deadlines.ts";
import { ReinsError } from "../events/errors.ts";
import { defaultLimits } from "../events/limits.ts";
import { createRedactor } from "../events/redact.ts";
import { replayWire } from "./wire/replay.ts";

/**
 * Returns how to point an agent at a scripted model: its environment, files and tool calls. Throws a ReinsError if the agent is unknown or
 * cannot be pointed at one.
 */
export async function proofOf(id: string, entries: readonly AgentEntry[] = agentEntries): Promise<Proof> {
  const entry = entries.find((one) => one.id === id);
  if (!entry) {
    const known = entries.map((one) => one.id).join(", ");
    throw new ReinsError("invalid_input", `There is no agent ${id}; there are ${known}.`);
  }
  const proof = await loadProof(entry);
  if (!proof)
    throw new ReinsError("unsupported", `${entry.name} cannot be pointed at a scripted model.`, { agent: id });
  return proof;
}

/** Every agent that has a proof. */
export async function allProofs(
  entries: readonly AgentEntry[] = agentEntries,
): Promise<{ id: string; proof: Proof }[]> {
  const loaded = await Promise.all(entries.map(async (entry) => ({ id: entry.id, proof: await loadProof(entry) })));
  return loaded.flatMap(({ id, proof }) => (proof === undefined ? [] : [{ id, proof }]));
}

/** Loads the agent with processes that cannot start anything. */
async function loadProof(entry: AgentEntry): Promise<Proof | undefined> {
  const { createAgent } = await entry.load();
  const context: AgentContext = {
    processes: replayWire([]),
    env: {},
    deadlines: defaultDeadlines,
    limits: defaultLimits,
    redact: createRedactor({}),
  };
  return createAgent(context).proof;
}
