import type { CloudAgent } from "../agents/shared/cloud.ts";
import { ago } from "./ago.ts";
import { asking, print } from "./asking.ts";
import { cloudAgent } from "./cloud-agent.ts";
import { commandName } from "./command-name.ts";
import { Screen } from "./screen.ts";
import { fitted, table } from "./table.ts";

export interface CloudListCommand {
  readonly agent?: string;
  readonly limit?: number;
  readonly cursor?: string;
  readonly archived?: boolean;
  readonly json?: boolean;
}

const usual = 20;

/** `reins cloud list`: what runs there, whoever began it. */
export async function cloudList(options: CloudListCommand, ending: AbortSignal): Promise<void> {
  const { limit = usual, cursor, archived, json = false } = options;
  const page = await asking("Asking", ending, async (reins) => {
    const { cloud } = await cloudAgent(reins, options.agent);
    return cloud.list({ limit, cursor, archived });
  });
  await print(page.agents, options, listing);
  if (page.cursor !== undefined && !json)
    new Screen().line(`There are more: ${commandName()} cloud list --cursor ${page.cursor}`, "dim");
}

function listing(agents: readonly CloudAgent[]): string {
  if (agents.length === 0) return `Nothing runs there. The first one: ${commandName()} cloud run "..."\n`;
  const rows = agents.map(({ id, status, updatedAt, createdAt, name }) => {
    const used = updatedAt ?? createdAt;
    return { cells: [id, status, used === undefined ? "" : ago(used), name ?? ""] };
  });
  return fitted(table(["id", "status", "used", "name"], rows));
}
