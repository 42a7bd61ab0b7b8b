import type { Command } from "commander";
import type { McpServerInfo } from "../../agents/contract.ts";
import type { Reins } from "../../core/api.ts";
import { toReinsError } from "../../events/errors.ts";
import { addCommand, addGroup, texts } from "../command.ts";
import type { CommandContext } from "../command.ts";
import { table } from "../render/table.ts";
import { print, withStatus } from "../with-status.ts";
import { handOver } from "./sign-in-out.ts";

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

export function register(program: Command, { ending, finish }: CommandContext): void {
  const mcp = addGroup(program, "mcp", "The MCP servers in the agents' own settings.");
  addCommand(mcp, "list", "Which there are, and whether each answers; the agent starts them to find out.", {
    isDefault: true,
  })
    .argument("[agent]", "only those of this one")
    .option("--json", texts.json)
    .action(async (id: string | undefined, options: { json?: boolean }) => {
      const listed = await withStatus("Asking for MCP servers", ending, (reins) =>
        id === undefined ? listAll(reins) : listOne(reins, id).then((one) => [one]),
      );
      await print(listed, options, shown);
    });

  const addForServer = (name: string, description: string): Command =>
    addCommand(mcp, name, description).argument("<agent>", texts.agent).argument("<server>", "the name of the server");
  const serversOf = async (reins: Reins, id: string) => (await reins.manage(id)).mcp;
  addForServer("tools", "The tools of one, where the agent lists them.")
    .option("--json", texts.json)
    .action(async (id: string, server: string, options: { json?: boolean }) => {
      const tools = await withStatus("Asking for its tools", ending, async (reins) =>
        (await serversOf(reins, id)).tools(server),
      );
      const rows = tools.map(({ name, parameters = [] }) => ({ cells: [name, parameters.join(", ")] }));
      await print(tools, options, () =>
        rows.length === 0 ? `${server} has no tools.\n` : table(["tool", "takes"], rows),
      );
    });
  for (const [action, verb] of [
    ["enable", "Enable"],
    ["disable", "Disable"],
  ] as const)
    addForServer(action, `${verb} one in an agent's settings.`).action(async (id: string, server: string) => {
      await withStatus("Telling the agent", ending, async (reins) => (await serversOf(reins, id))[action](server));
    });
  addForServer("login", "Sign in to one, by the agent's own command, in this terminal.").action(
    async (id: string, server: string) => {
      const command = await withStatus("Asking the agent", ending, async (reins) =>
        (await serversOf(reins, id)).login(server),
      );
      finish(await handOver(command, true));
    },
  );
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
