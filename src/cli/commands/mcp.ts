import type { Command } from "commander";
import { mcpFacts, type ListedServer } from "../../commands/facts.ts";
import type { Reins } from "../../core/api.ts";
import { addCommand, addGroup, texts, type CommandContext, type SharedOptions } from "../command.ts";
import { table } from "../render/table.ts";
import { failureText, show, withStatus } from "../with-status.ts";
import { handOver } from "./sign-in-out.ts";

interface Listed {
  readonly agent: string;
  readonly servers: readonly ListedServer[];
  readonly help?: string | undefined;
}

export function register(program: Command, { ending, finish }: CommandContext): void {
  const mcp = addGroup(program, "mcp", "MCP servers in the agents' own settings.");
  addCommand(mcp, "list", "List the servers and their status; the agent starts them to check.", {
    isDefault: true,
  })
    .argument("[agent]", "only of this agent")
    .option("--json", texts.json)
    .action((id: string | undefined, { json }: SharedOptions) => {
      const list = async (reins: Reins) => (id === undefined ? listAll(reins) : [await listOne(reins, id)]);
      return show("Asking for MCP servers", { ending, json }, list, shown);
    });

  const addForServer = (name: string, description: string): Command =>
    addCommand(mcp, name, description).argument("<agent>", texts.agent).argument("<server>", "the name of the server");
  const serversOf = async (reins: Reins, id: string) => (await reins.manage(id)).mcp;
  addForServer("tools", "List the tools of a server, if the agent reports them.")
    .option("--json", texts.json)
    .action((id: string, server: string, { json }: SharedOptions) => {
      const ask = async (reins: Reins) => (await serversOf(reins, id)).tools(server);
      return show("Asking for its tools", { ending, json }, ask, (tools) => {
        const rows = tools.map(({ name, parameters = [] }) => [name, parameters.join(", ")]);
        return rows.length === 0 ? `${server} has no tools.\n` : table(["tool", "takes"], rows);
      });
    });
  for (const [action, verb] of [
    ["enable", "Enable"],
    ["disable", "Disable"],
  ] as const)
    addForServer(action, `${verb} a server in an agent's settings.`).action(async (id: string, server: string) => {
      await withStatus("Telling the agent", ending, async (reins) => (await serversOf(reins, id))[action](server));
    });
  addForServer("login", "Sign in to a server with the agent's own command.").action(
    async (id: string, server: string) => {
      const command = await withStatus("Asking the agent", ending, async (reins) =>
        (await serversOf(reins, id)).login(server),
      );
      finish(await handOver(command, true));
    },
  );
}

async function listOne(reins: Reins, id: string): Promise<Listed> {
  return { agent: id, servers: await mcpFacts(await reins.manage(id), undefined) };
}

async function listAll(reins: Reins): Promise<readonly Listed[]> {
  const here = (await reins.agents()).filter(({ installed, builtIn }) => installed && builtIn !== true);
  return Promise.all(
    here.map(({ id }) =>
      listOne(reins, id).catch((thrown: unknown) => ({ agent: id, servers: [], help: failureText(thrown) })),
    ),
  );
}

function shown(all: readonly Listed[]): string {
  if (all.length === 0) return "No agent is installed.\n";
  const rows = all.flatMap(({ agent, servers, help }) =>
    servers.length === 0
      ? [{ cells: [agent, "none"], below: help === undefined ? undefined : `→ ${help}` }]
      : servers.map(({ name, status, target = "", detail }) => ({
          cells: [agent, name, status === "unknown" ? "" : status.replace("_", " "), target],
          below: status === "failed" && detail !== undefined ? `→ ${detail}` : undefined,
        })),
  );
  return table(["agent", "server", "state", "runs"], rows);
}
