/** Signing in and out, its models, its MCP servers. */
import { homedir } from "node:os";
import { join } from "node:path";
import type { AgentContext, AgentManagement, McpServerInfo, ModelInfo } from "../contract.ts";
import { commandsOf, runProgram } from "../shared/program-commands.ts";
import { askProgram } from "../shared/stream-json-program.ts";
import { history } from "./history.ts";
import { program } from "./program.ts";
import { initialize } from "./initialize.ts";
import { environmentOf } from "./launch.ts";
import { mcpServersIn } from "./mcp.ts";
import { list, record, text } from "../../drivers/stream-json/read.ts";

export function management(context: AgentContext): AgentManagement {
  const command = commandsOf(program, context);
  return {
    login: async () => ({ ...command("auth", "login"), withoutBrowser }),
    logout: async () => command("auth", "logout"),
    update: async () => command("update"),
    about: async () => [
      { label: "spoken to by", value: "stream-json on its standard input and output" },
      { label: "settings", value: join(configFolder(context), "settings.json") },
      { label: "sessions", value: join(configFolder(context), "projects") },
    ],
    models: () => askModels(context),
    history: history(configFolder(context)),
    mcp: {
      list: () => listServers(context),
      login: async (name) => command("mcp", "login", name),
    },
    instead: {
      verify: "Run `claude auth status`, or send a short prompt.",
      "mcp.enable": "Open `claude` and use /mcp there, or add it with `claude mcp add`.",
      "mcp.disable": "Open `claude` and use /mcp there, or remove it with `claude mcp remove`.",
    },
  };
}

const withoutBrowser =
  "It shows an address to open on any machine and asks for the code; or set ANTHROPIC_API_KEY, or a token made by `claude setup-token` elsewhere (CLAUDE_CODE_OAUTH_TOKEN).";

function configFolder({ env }: AgentContext): string {
  return env["CLAUDE_CONFIG_DIR"] || join(env["HOME"] || homedir(), ".claude");
}

async function listServers(context: AgentContext): Promise<readonly McpServerInfo[]> {
  const { stdout } = await runProgram(program, context, ["mcp", "list"], { env: environmentOf(context.env) });
  return mcpServersIn(stdout);
}

/** The program knows them when it starts; no model is asked and nothing is written down. */
function askModels(context: AgentContext): Promise<readonly ModelInfo[]> {
  const args = ["-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];
  const launch = { args: [...args, "--no-session-persistence"], env: environmentOf(context.env) };
  return askProgram(program, context, launch, async (stream) =>
    modelsOf(list((await initialize(stream, context.deadlines.start))["models"])),
  );
}

function modelsOf(models: readonly unknown[]): ModelInfo[] {
  return models.flatMap((item) => {
    const model = record(item);
    const id = text(model["value"]);
    if (id === undefined) return [];
    return [
      {
        id,
        label: text(model["displayName"]),
        description: text(model["description"]),
        default: id === "default" ? true : undefined,
      },
    ];
  });
}
