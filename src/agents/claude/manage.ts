import { homedir } from "node:os";
import { join } from "node:path";
import { list, record, text } from "../../protocols/json.ts";
import type { AgentContext, AgentManagement, McpServerInfo, ModelInfo } from "../contract.ts";
import { askProgram } from "../shared/program/ask-program.ts";
import { mcpServersIn } from "../shared/program/mcp-list.ts";
import { commandsOf, runProgram } from "../shared/program/program-commands.ts";
import { history } from "./history.ts";
import { environmentOf, streamJson } from "./launch.ts";
import { program } from "./program.ts";
import { initialize } from "./session.ts";

export function management(context: AgentContext): AgentManagement {
  const command = commandsOf(program, context);
  return {
    login: async () => ({ ...command("auth", "login"), withoutBrowser }),
    logout: async () => command("auth", "logout"),
    update: async () => command("update"),
    interface: async () => command(),
    about: async () => [
      { label: "protocol", value: "stream-json on its standard input and output" },
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
  return mcpServersIn(stdout, mcpLine);
}

/** The program reports its models at start, without a model request and without saving anything. */
function askModels(context: AgentContext): Promise<readonly ModelInfo[]> {
  const launch = { args: [...streamJson, "--no-session-persistence"], env: environmentOf(context.env) };
  return askProgram(program, context, launch, async (stream) =>
    modelsOf(list((await initialize(stream, context.deadlines.start))["models"])),
  );
}

function modelsOf(models: readonly unknown[]): ModelInfo[] {
  return models.flatMap((item) => {
    const { value, displayName, description } = record(item);
    const id = text(value);
    const isDefault = id === "default" ? true : undefined;
    return id === undefined
      ? []
      : [{ id, label: text(displayName), description: text(description), default: isDefault }];
  });
}

/** A line of `claude mcp list`: "name: target (HTTP) - ✔ Connected", with " — reason" after a failure. */
export const mcpLine =
  /^(?<name>[^:]+): (?<target>.+?)(?: \((?<transport>HTTP|SSE)\))? - (?<mark>[✔✓✘✗!⚠⏸]?) ?(?<said>.+)$/u;
