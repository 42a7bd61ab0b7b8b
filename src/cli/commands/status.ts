import type { Command } from "commander";
import { sessionFacts, statusFacts } from "../../commands/facts.ts";
import type { Reins } from "../../core/api.ts";
import { emailOf } from "../../view/slash/facts.ts";
import { addCommand, texts, type CommandContext, type SharedOptions } from "../command.ts";
import { agentDetails, agentsTable } from "../render/agents-table.ts";
import { platformFacts } from "../../process/platform.ts";
import { show } from "../with-status.ts";

export function register(program: Command, { ending }: CommandContext): void {
  addCommand(program, "status", "Show the sign-in status of all agents, or everything about one agent.")
    .argument("[agent]", "only this agent")
    .option("--json", texts.json)
    .action((id: string | undefined, { json }: SharedOptions) => {
      if (id === undefined) return show("Asking every agent", { ending, json }, allAgents, agentsTable);
      // Listing MCP servers starts them, so do it only when they are printed.
      const ask = async (reins: Reins) => [await statusFacts(reins, { agent: id, ...here(), mcp: json === true })];
      return show("Asking the agent", { ending, json }, ask, (all) =>
        all.map((agent) => agentDetails(agent, agent.about)).join(""),
      );
    });
}

function here() {
  return { cwd: process.cwd(), platform: platformFacts(process.env) };
}

/** Without MCP servers: listing them would start those of every agent. */
async function allAgents(reins: Reins) {
  const { cwd, platform } = here();
  const agents = await reins.agents({ fresh: true });
  return Promise.all(
    agents.map(async (agent) => ({
      ...agent,
      email: emailOf(agent),
      session: await sessionFacts(reins, { agent: agent.id, cwd }),
      platform,
    })),
  );
}
