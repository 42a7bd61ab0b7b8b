import type { AboutFact } from "../agents/contract.ts";
import type { AgentStatus, Reins } from "../core/api.ts";
import { agentDetails } from "./agent-details.ts";
import { agentsTable } from "./agents-table.ts";
import { asking, print } from "./asking.ts";

interface Status extends AgentStatus {
  readonly about?: readonly AboutFact[];
}

/** `reins status`: who is signed in to what; of one agent, everything it tells. */
export async function status(
  id: string | undefined,
  options: { readonly json?: boolean },
  ending: AbortSignal,
): Promise<void> {
  const found = await asking(id === undefined ? "Asking every agent" : "Asking the agent", ending, (reins) =>
    id === undefined ? reins.agents({ fresh: true }) : one(reins, id),
  );
  await print<Status>(found, options, (all) =>
    id === undefined ? agentsTable(all) : all.map((agent) => agentDetails(agent, agent.about)).join(""),
  );
}

async function one(reins: Reins, id: string): Promise<readonly Status[]> {
  const manage = await reins.manage(id);
  // An agent that tells nothing more is no failure.
  const [agent, about] = await Promise.all([reins.agent(id), manage.about().catch(() => [])]);
  return [{ ...agent, about }];
}
