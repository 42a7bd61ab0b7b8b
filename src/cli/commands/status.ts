import type { Command } from "commander";
import type { AboutFact } from "../../agents/contract.ts";
import type { AgentStatus, Reins } from "../../core/api.ts";
import { addCommand, texts } from "../command.ts";
import type { CommandContext } from "../command.ts";
import { agentDetails, agentsTable } from "../render/agents-table.ts";
import { print, withStatus } from "../with-status.ts";

interface Status extends AgentStatus {
  readonly about?: readonly AboutFact[];
}

export function register(program: Command, { ending }: CommandContext): void {
  addCommand(program, "status", "Who is signed in to what; of one agent, everything it tells.")
    .argument("[agent]", "only this one")
    .option("--json", texts.json)
    .action(async (id: string | undefined, options: { json?: boolean }) => {
      const found = await withStatus(id === undefined ? "Asking every agent" : "Asking the agent", ending, (reins) =>
        id === undefined ? reins.agents({ fresh: true }) : one(reins, id),
      );
      await print<Status>(found, options, (all) =>
        id === undefined ? agentsTable(all) : all.map((agent) => agentDetails(agent, agent.about)).join(""),
      );
    });
}

async function one(reins: Reins, id: string): Promise<readonly Status[]> {
  const manage = await reins.manage(id);
  // An agent that tells nothing more is no failure.
  const [agent, about] = await Promise.all([reins.agent(id), manage.about().catch(() => [])]);
  return [{ ...agent, about }];
}
