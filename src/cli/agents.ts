import type { AgentStatus } from "../core/api.ts";
import { createReins } from "../core/reins.ts";
import { agentDetails } from "./agent-details.ts";
import { agentsTable } from "./agents-table.ts";
import { untilEnding } from "./ending.ts";
import { safeFor } from "./safe-text.ts";
import { Screen, writeOut } from "./screen.ts";

/** `reins agents`: every agent, or all about one. */
export async function agents(
  id: string | undefined,
  options: { readonly json?: boolean },
  ending: AbortSignal,
): Promise<void> {
  await using reins = createReins();
  const screen = new Screen();
  screen.status(id === undefined ? "Asking every agent" : "Asking the agent");
  const asked = id === undefined ? reins.agents() : reins.agent(id).then((one) => [one]);
  const found = await untilEnding(ending, asked).finally(() => screen.still());
  const text = id === undefined ? agentsTable(found) : found.map(agentDetails).join("");
  await writeOut(options.json === true ? found.map(jsonOf).join("") : safeFor(process.stdout)(text));
}

function jsonOf(status: AgentStatus): string {
  return `${JSON.stringify(status)}\n`;
}
