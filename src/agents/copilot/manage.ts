import { tmpdir } from "node:os";
import { join } from "node:path";
import { ReinsError } from "../../events/errors.ts";
import { parseJson, record, text } from "../../protocols/json.ts";
import type { AgentContext, AgentManagement, McpServerInfo, ModelInfo } from "../contract.ts";
import { listedModels } from "../shared/acp/restart.ts";
import { commandsOf, runProgram } from "../shared/program/program-commands.ts";
import { copilotHome, environmentOf, program, requireCopilot } from "./program.ts";
import { openSession } from "./session.ts";

export function management(context: AgentContext): AgentManagement {
  const command = commandsOf(program, context);
  const home = copilotHome(context.env);
  return {
    login: async () => ({ ...command("login"), withoutBrowser }),
    update: async () => command("update"),
    interface: async () => command(),
    about: async () => [
      { label: "protocol", value: "ACP on its standard input and output" },
      { label: "settings", value: join(home, "settings.json") },
      { label: "sessions", value: join(home, "session-state") },
      { label: "MCP servers", value: join(home, "mcp-config.json") },
    ],
    models: () => askModels(context),
    mcp: {
      list: () => listServers(context),
      enable: (name) => runMcp(context, "enable", name).then(() => undefined),
      disable: (name) => runMcp(context, "disable", name).then(() => undefined),
    },
    instead: {
      logout: "Start `copilot` and send /logout.",
      verify: "Send a short prompt: it has no command that tests a key.",
      "mcp.login": "Start `copilot` and send /mcp; it opens a browser when a server needs one.",
    },
  };
}

const withoutBrowser =
  "Use `copilot login --device-code`, which shows a code to enter on any machine; or set COPILOT_GITHUB_TOKEN to a token with the permission Copilot Requests.";

/** Empty with a model service of the user's own. */
async function askModels(context: AgentContext): Promise<readonly ModelInfo[]> {
  const command = await requireCopilot(context);
  return listedModels(openSession(context, { sessionId: "models", cwd: tmpdir(), mode: "read" }, command));
}

async function listServers(context: AgentContext): Promise<readonly McpServerInfo[]> {
  return mcpServersIn(await runMcp(context, "list", "--json"));
}

async function runMcp(context: AgentContext, ...words: string[]): Promise<string> {
  const launch = { env: environmentOf(context.env), command: await requireCopilot(context) };
  const { stdout, stderr, code } = await runProgram(program, context, ["mcp", ...words], launch);
  // An unknown server is only a warning to Copilot.
  if (code === 0 && !/no MCP server named/.test(stderr)) return stdout;
  const said = stderr.trim().split("\n", 1)[0] ?? "";
  throw new ReinsError("invalid_input", `The command of GitHub Copilot failed: ${said || `exit code ${code}`}`, {
    agent: program.id,
    help: "Run `copilot mcp list` to see what it has.",
  });
}

/** Parses `copilot mcp list --json`. Arguments and headers may hold secrets, so only the program or the address is reported. */
export function mcpServersIn(json: string): McpServerInfo[] {
  return Object.entries(record(record(parseJson(json))["mcpServers"])).map(([name, value]) => {
    const server = record(value);
    const [command, url, type] = [text(server["command"]), text(server["url"]), server["type"]];
    return {
      name,
      target: command ?? url,
      transport: type === "http" || type === "sse" ? type : "stdio",
      status: server["enabled"] === false || server["disabled"] === true ? "disabled" : "unknown",
    };
  });
}
