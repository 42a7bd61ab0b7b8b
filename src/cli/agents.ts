import type { AgentFileInfo } from "../core/agent-file-info.ts";
import type { AgentStatus, Reins } from "../core/api.ts";
import { agentDetails } from "./agent-details.ts";
import { agentFilesTable } from "./agent-files-table.ts";
import { agentsTable } from "./agents-table.ts";
import { asking, print } from "./asking.ts";

/** `reins agents`: every agent, or all about one. */
export async function agents(
  id: string | undefined,
  options: { readonly json?: boolean },
  ending: AbortSignal,
): Promise<void> {
  const found = await asking(id === undefined ? "Asking every agent" : "Asking the agent", ending, (reins) =>
    id === undefined ? all(reins) : one(reins, id),
  );
  await print(found, options, (shown) => {
    const files = shown.filter(isFile);
    const known = shown.filter((agent): agent is AgentStatus => !isFile(agent));
    return (
      (id === undefined ? agentsTable(known) : known.map((agent) => agentDetails(agent)).join("")) +
      agentFilesTable(files)
    );
  });
}

async function all(reins: Reins): Promise<readonly (AgentStatus | AgentFileInfo)[]> {
  const [known, files] = await Promise.all([reins.agents({ fresh: true }), reins.agentFiles()]);
  return [...known, ...files];
}

/** Of a file also the agent that does its work. */
async function one(reins: Reins, id: string): Promise<readonly (AgentStatus | AgentFileInfo)[]> {
  const file = (await reins.agentFiles()).find((info) => info.id === id && info.problem === undefined);
  if (file === undefined) return [await reins.agent(id)];
  return [...(file.agent === undefined ? [] : [await reins.agent(file.agent)]), file];
}

function isFile(agent: AgentStatus | AgentFileInfo): agent is AgentFileInfo {
  return "whose" in agent;
}
