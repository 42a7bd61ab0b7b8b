import { agentDetails } from "./agent-details.ts";
import { agentsTable } from "./agents-table.ts";
import { asking, print } from "./asking.ts";

/** `reins agents`: every agent, or all about one. */
export async function agents(
  id: string | undefined,
  options: { readonly json?: boolean },
  ending: AbortSignal,
): Promise<void> {
  const found = await asking(id === undefined ? "Asking every agent" : "Asking the agent", ending, (reins) =>
    id === undefined ? reins.agents() : reins.agent(id).then((one) => [one]),
  );
  await print(found, options, (all) =>
    id === undefined ? agentsTable(all) : all.map((one) => agentDetails(one)).join(""),
  );
}
