/** Signing in and out, its models, its MCP servers, an empty conversation. Its list of conversations (`ls`) needs a terminal, so it is not asked. */
import { join } from "node:path";
import { ReinsError } from "../../events/errors.ts";
import type { AgentContext, AgentManagement, ModelInfo, Place } from "../contract.ts";
import { aboutIn } from "./about.ts";
import { commandFor, runCommand } from "./commands.ts";
import { createChat } from "./create-chat.ts";
import { cursorFolder } from "./home.ts";
import { hooksManagement } from "./hooks/manage.ts";
import { modelsIn } from "./list-models.ts";
import { mcpServersIn, mcpToolsIn } from "./mcp.ts";
import { program } from "./program.ts";
import { emptyStateOf } from "./state.ts";

const withoutBrowser =
  "Without a browser run `NO_OPEN_BROWSER=1 reins login cursor` and open the address it shows on any machine, or set CURSOR_API_KEY to a key of cursor.com/dashboard/api.";

/** It says so and ends with 0. */
const notThere = /not found|does not exist|has not been approved|failed to/i;

export function management(context: AgentContext): AgentManagement {
  const folder = cursorFolder(context.env);
  return {
    login: async () => ({ ...(await commandFor(context, "login")), withoutBrowser }),
    logout: () => commandFor(context, "logout"),
    update: () => commandFor(context, "update"),
    about: async () => [
      { label: "spoken to by", value: "ACP (`agent acp`), or one process a prompt (REINS_CURSOR_CHANNEL=print)" },
      { label: "settings", value: join(folder, "cli-config.json") },
      { label: "sessions", value: join(folder, "chats") },
      // It tells these without asking a model; where it does not, the rest is known all the same.
      ...aboutIn(await runCommand(context, ["about", "--format", "json"]).catch(() => "")),
    ],
    models: () => listModels(context),
    mcp: {
      list: async ({ cwd } = {}) => mcpServersIn(await runCommand(context, ["mcp", "list"], { cwd })),
      tools: async (name, at) => mcpToolsIn(await mcp(context, "list-tools", name, at)),
      enable: (name, at) => mcp(context, "enable", name, at).then(() => undefined),
      disable: (name, at) => mcp(context, "disable", name, at).then(() => undefined),
      login: (name) => commandFor(context, "mcp", "login", serverName(name)),
    },
    hooks: hooksManagement(context),
    createConversation: async ({ cwd } = {}) => emptyStateOf(await createChat(context, cwd)),
    instead: { verify: "Send a short prompt: it has no command that tries a key." },
  };
}

async function listModels(context: AgentContext): Promise<readonly ModelInfo[]> {
  return modelsIn(await runCommand(context, ["models"]));
}

/** Which servers a person approved is kept by folder. */
function mcp(context: AgentContext, word: string, name: string, { cwd }: Place = {}): Promise<string> {
  return runCommand(context, ["mcp", word, serverName(name)], { cwd, wrong: notThere });
}

function serverName(name: string): string {
  if (name !== "" && !name.startsWith("-")) return name;
  throw new ReinsError("invalid_input", `${JSON.stringify(name)} is no name of an MCP server.`, {
    agent: program.id,
    help: `See \`reins mcp list ${program.id}\`.`,
  });
}
