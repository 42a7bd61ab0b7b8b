import type { Agent, AgentEntry } from "../agents/contract.ts";
import { toReinsError } from "../events/errors.ts";
import type { Redactor } from "../events/redact.ts";
import type { AgentStatus } from "./api.ts";

export async function statusOf(agent: Agent, entry: AgentEntry | undefined, redact: Redactor): Promise<AgentStatus> {
  const { id, name, capabilities, manage, promptHelp } = agent;
  return {
    ...redact.deep(await agent.probe()),
    id,
    name,
    experimental: entry?.experimental === true,
    builtIn: entry?.builtIn === true,
    capabilities,
    manage,
    promptHelp,
  };
}

/** With the models of a ready agent. Asking for them may start its program, so it is done for one agent, not for all. */
export async function withModels(status: AgentStatus): Promise<AgentStatus> {
  if (!status.ready || status.models !== undefined || status.manage.models === undefined) return status;
  try {
    return { ...status, models: await status.manage.models() };
  } catch (thrown) {
    return { ...status, help: `Its models could not be asked for: ${toReinsError(thrown).message}` };
  }
}
