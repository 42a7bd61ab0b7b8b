/** Signing in, its models, its MCP servers. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { stateHome } from "../../process/home.ts";
import type { AgentContext, AgentManagement, McpServerInfo, ModelInfo } from "../contract.ts";
import { commandOf, requireProgram } from "../shared/program.ts";
import { history } from "./history.ts";
import { geminiFolder } from "./home.ts";
import { environmentOf } from "./launch.ts";
import { mcpServersIn } from "./mcp.ts";
import { openAcpSession } from "./open.ts";
import { program } from "./program.ts";
import { verifyKey } from "./verify.ts";

const withoutBrowser =
  "Set GEMINI_API_KEY to a key of https://aistudio.google.com/apikey, or start it with NO_BROWSER=true and open the address it shows on another machine.";

export function management(context: AgentContext): AgentManagement {
  const folder = geminiFolder(context.env);
  return {
    // There is no command for it: the program asks when it starts and nobody is signed in, and whenever /auth is typed.
    login: async () => {
      const { path, args } = commandOf(program, context.env);
      return { command: path, args, withoutBrowser };
    },
    update: async () => ({ command: "npm", args: ["install", "-g", "@google/gemini-cli@latest"] }),
    about: async () => [
      { label: "spoken to by", value: "ACP on its standard input and output" },
      { label: "settings", value: join(folder, "settings.json") },
      { label: "sessions", value: join(folder, "tmp") },
      { label: "trusted folders", value: join(folder, "trustedFolders.json") },
    ],
    models: () => askModels(context),
    history: history(folder),
    mcp: { list: () => listServers(context) },
    verify: () => verifyKey(context),
    instead: {
      logout: "Open `gemini` and type /auth signout.",
      "mcp.enable": "Open `gemini` and type /mcp enable <name>.",
      "mcp.disable": "Open `gemini` and type /mcp disable <name>.",
      "mcp.login": "Open `gemini` and type /mcp auth <name>.",
    },
  };
}

/** Nobody's project: an empty folder of our own, which the program may trust because there is nothing in it. */
async function emptyFolder(context: AgentContext): Promise<{ cwd: string; env: Record<string, string> }> {
  const cwd = join(stateHome(context.env), "gemini", "empty");
  await mkdir(cwd, { recursive: true, mode: 0o700 });
  return { cwd, env: { GEMINI_CLI_TRUST_WORKSPACE: "true" } };
}

/** It prints the list where errors go. */
async function listServers(context: AgentContext): Promise<readonly McpServerInfo[]> {
  const { path, args } = await requireProgram(program, context.env);
  const { cwd, env } = await emptyFolder(context);
  const { stdout, stderr } = await context.processes.run(
    { command: path, args: [...args, "mcp", "list"], cwd, env: environmentOf(context.env, env), agent: program.id },
    context.deadlines.request,
  );
  return mcpServersIn(`${stdout}\n${stderr}`);
}

/** As a session lists them when it begins; no model is asked. */
async function askModels(context: AgentContext): Promise<readonly ModelInfo[]> {
  const { cwd, env } = await emptyFolder(context);
  const command = await requireProgram(program, context.env);
  const session = await openAcpSession(context, { sessionId: "models", cwd, env, mode: "read" }, command);
  try {
    return session.models.map(({ id, label, description, current }) => ({
      id,
      label,
      description,
      default: id === "auto" ? true : undefined,
      current: current ? true : undefined,
      provider: "google",
    }));
  } finally {
    await session.close();
  }
}
