import type { McpServerInfo } from "../agents/contract.ts";
import type { Reins } from "../core/api.ts";
import { toReinsError } from "../events/errors.ts";
import { asking, print } from "./asking.ts";
import type { Exit } from "./exit-codes.ts";
import { handOver } from "./sign.ts";
import { table } from "./table.ts";

interface Listed {
  readonly agent: string;
  readonly servers: readonly McpServerInfo[];
  /** Why there are none. */
  readonly help?: string | undefined;
}

const words: Record<McpServerInfo["status"], string> = {
  connected: "connected",
  failed: "failed",
  needs_login: "needs login",
  disabled: "disabled",
  unknown: "",
};

/** `reins mcp list [agent]`: the MCP servers in the agents' own settings. */
export async function mcpList(
  id: string | undefined,
  options: { readonly json?: boolean },
  ending: AbortSignal,
): Promise<void> {
  const listed = await asking("Asking for MCP servers", ending, (reins) =>
    id === undefined ? listAll(reins) : listOne(reins, id).then((one) => [one]),
  );
  await print(listed, options, shown);
}

async function listOne(reins: Reins, id: string): Promise<Listed> {
  return { agent: id, servers: await (await reins.manage(id)).mcp.list() };
}

async function listAll(reins: Reins): Promise<readonly Listed[]> {
  const here = (await reins.agents()).filter(({ installed, builtIn }) => installed && builtIn !== true);
  return Promise.all(
    here.map(({ id }) =>
      listOne(reins, id).catch((thrown: unknown) => {
        const { message, help } = toReinsError(thrown);
        return { agent: id, servers: [], help: [message, help].filter((part) => part !== undefined).join(" ") };
      }),
    ),
  );
}

function shown(all: readonly Listed[]): string {
  if (all.length === 0) return "No agent is installed.\n";
  const rows = all.flatMap(({ agent, servers, help }) =>
    servers.length === 0
      ? [{ cells: [agent, "none"], below: help === undefined ? undefined : `→ ${help}` }]
      : servers.map(({ name, status, target = "", detail }) => ({
          cells: [agent, name, words[status], target],
          below: status === "failed" && detail !== undefined ? `→ ${detail}` : undefined,
        })),
  );
  return table(["agent", "server", "state", "runs"], rows);
}

/** `reins mcp tools <agent> <server>`. */
export async function mcpTools(
  id: string,
  server: string,
  options: { readonly json?: boolean },
  ending: AbortSignal,
): Promise<void> {
  const tools = await asking("Asking for its tools", ending, async (reins) =>
    (await reins.manage(id)).mcp.tools(server),
  );
  await print(tools, options, (all) =>
    all.length === 0
      ? `${server} has no tools.\n`
      : table(
          ["tool", "takes"],
          all.map(({ name, parameters = [] }) => ({ cells: [name, parameters.join(", ")] })),
        ),
  );
}

/** `reins mcp enable|disable <agent> <server>`. */
export async function mcpSwitch(
  action: "enable" | "disable",
  id: string,
  server: string,
  ending: AbortSignal,
): Promise<void> {
  await asking("Telling the agent", ending, async (reins) => (await reins.manage(id)).mcp[action](server));
}

/** `reins mcp login <agent> <server>`. */
export async function mcpLogin(id: string, server: string, ending: AbortSignal): Promise<Exit> {
  const command = await asking("Asking the agent", ending, async (reins) => (await reins.manage(id)).mcp.login(server));
  return handOver(command, true);
}
