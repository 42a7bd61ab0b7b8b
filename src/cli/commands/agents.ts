import type { Command } from "commander";
import type { AgentStatus, Reins } from "../../core/api.ts";
import type { AgentFileInfo } from "../../core/config/agent-files.ts";
import { addCommand, type CommandContext, type SharedOptions } from "../command.ts";
import { agentDetails, agentFilesTable, agentsTable } from "../render/agents-table.ts";
import { show } from "../with-status.ts";

export function register(program: Command, { ending }: CommandContext): void {
  addCommand(program, "agents", "List the agents on this machine and what each one needs.")
    .argument("[id]", "only this one, with its models and modes")
    .option("--json", "print each agent as one line of JSON")
    .action((id: string | undefined, { json }: SharedOptions) => {
      const what = id === undefined ? "Asking every agent" : "Asking the agent";
      const ask = (reins: Reins) => (id === undefined ? all(reins) : one(reins, id));
      return show(what, { ending, json }, ask, (found) => {
        const known = found.filter((agent): agent is AgentStatus => !isFile(agent));
        const agents = id === undefined ? agentsTable(known) : known.map((agent) => agentDetails(agent)).join("");
        return agents + agentFilesTable(found.filter(isFile));
      });
    });
}

async function all(reins: Reins): Promise<readonly (AgentStatus | AgentFileInfo)[]> {
  const [known, files] = await Promise.all([reins.agents({ fresh: true }), reins.agentFiles()]);
  return [...known, ...files];
}

/** An agent file is shown together with the agent that runs it. */
async function one(reins: Reins, id: string): Promise<readonly (AgentStatus | AgentFileInfo)[]> {
  const file = (await reins.agentFiles()).find((info) => info.id === id && info.problem === undefined);
  if (file === undefined) return [await reins.agent(id)];
  return [...(file.agent === undefined ? [] : [await reins.agent(file.agent)]), file];
}

function isFile(agent: AgentStatus | AgentFileInfo): agent is AgentFileInfo {
  return "whose" in agent;
}
