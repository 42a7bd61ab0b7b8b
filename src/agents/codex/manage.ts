/** Signing in and out, its models, its MCP servers. */
import { join } from "node:path";
import type { AgentContext, AgentManagement, McpServerInfo } from "../contract.ts";
import { commandsOf, runProgram } from "../shared/program-commands.ts";
import { codexHome } from "./config.ts";
import { history } from "./history.ts";
import { environmentOf } from "./launch.ts";
import { listModels } from "./list-models.ts";
import { mcpServersIn } from "./mcp.ts";
import { program } from "./program.ts";

export function management(context: AgentContext): AgentManagement {
  const command = commandsOf(program, context);
  const home = codexHome(context.env);
  return {
    login: async () => ({ ...command("login"), withoutBrowser }),
    logout: async () => command("logout"),
    update: async () => command("update"),
    about: async () => [
      { label: "spoken to by", value: "its app server, JSON-RPC on its standard input and output" },
      { label: "settings", value: join(home, "config.toml") },
      { label: "sessions", value: join(home, "sessions") },
    ],
    models: () => listModels(context),
    history: history(home),
    mcp: {
      list: () => listServers(context),
      login: async (name) => command("mcp", "login", name),
    },
    instead: {
      verify: "Run `codex login status`, or send a short prompt.",
      "mcp.enable": "Set `enabled = true` for it in config.toml, or add it with `codex mcp add`.",
      "mcp.disable": "Set `enabled = false` for it in config.toml, or remove it with `codex mcp remove`.",
    },
  };
}

const withoutBrowser =
  "Run `codex login --device-auth` and open the address it shows on any machine; or hand it a key: `codex login --with-api-key` reads one from its standard input.";

async function listServers(context: AgentContext): Promise<readonly McpServerInfo[]> {
  const env = await environmentOf(context.env);
  const { stdout } = await runProgram(program, context, ["mcp", "list", "--json"], { env });
  return mcpServersIn(stdout);
}
