import type { Agent, AgentEntry, ModelInfo, Readiness } from "../agents/contract.ts";
import { noCapabilities } from "../events/capabilities.ts";
import { toReinsError } from "../events/errors.ts";
import type { Redactor } from "../events/redact.ts";
import type { AgentStatus } from "./api.ts";

export interface StatusOptions {
  readonly entry: AgentEntry | undefined;
  readonly redact: Redactor;
  /** With what is set for this agent alone. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function statusOf(agent: Agent, found: Readiness, { entry, redact, env }: StatusOptions): AgentStatus {
  const { id, name, capabilities, promptHelp } = agent;
  return {
    ...redact.deep(found),
    id,
    name,
    experimental: entry?.experimental === true,
    builtIn: entry?.builtIn === true,
    // One of the family is somebody.
    ...(entry?.family === true && entry.id === id && { family: true }),
    capabilities,
    promptHelp,
    keysSet: agent.keyVariables?.filter((variable) => (env[variable] ?? "") !== ""),
    testedVersion: agent.proof?.install?.version ?? agent.proof?.version,
  };
}

/** The status of an agent that could not even be loaded. */
export function brokenStatus(entry: AgentEntry, thrown: unknown): AgentStatus {
  const help = `It could not be loaded: ${toReinsError(thrown).message}`;
  return {
    id: entry.id,
    name: entry.name,
    ready: false,
    installed: false,
    signedIn: "unknown",
    experimental: entry.experimental === true,
    builtIn: entry.builtIn === true,
    capabilities: noCapabilities,
    help,
  };
}

/** With the models of a ready agent. Asking for them may start its program, so it is done for one agent, not for all. */
export async function withModels(
  status: AgentStatus,
  models: (() => Promise<readonly ModelInfo[]>) | undefined,
): Promise<AgentStatus> {
  if (!status.ready || status.models !== undefined || models === undefined) return status;
  try {
    return { ...status, models: await models() };
  } catch (thrown) {
    return { ...status, help: `Its models could not be asked for: ${toReinsError(thrown).message}` };
  }
}
