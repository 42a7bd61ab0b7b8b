import type { Command } from "commander";
import type { AboutFact } from "../../agents/contract.ts";
import type { AgentStatus, Reins } from "../../core/api.ts";
import { addCommand, texts, type CommandContext, type SharedOptions } from "../command.ts";
import { agentDetails, agentsTable } from "../render/agents-table.ts";
import { show } from "../with-status.ts";

interface Status extends AgentStatus {
  readonly about?: readonly AboutFact[];
}

export function register(program: Command, { ending }: CommandContext): void {
  addCommand(program, "status", "Who is signed in to what; of one agent, everything it tells.")
    .argument("[agent]", "only this one")
    .option("--json", texts.json)
    .action((id: string | undefined, { json }: SharedOptions) => {
      if (id === undefined)
        return show("Asking every agent", { ending, json }, (reins) => reins.agents({ fresh: true }), agentsTable);
      const details = (all: readonly Status[]) => all.map((agent) => agentDetails(agent, agent.about)).join("");
      return show("Asking the agent", { ending, json }, (reins) => one(reins, id), details);
    });
}

async function one(reins: Reins, id: string): Promise<readonly Status[]> {
  const manage = await reins.manage(id);
  // An agent that tells nothing more is no failure.
  const [agent, about] = await Promise.all([reins.agent(id), manage.about().catch(() => [])]);
  return [{ ...agent, about }];
}
