import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { stateHome } from "../../process/home.ts";
import type { AgentContext, AgentManagement, McpServerInfo, ModelInfo, Verification } from "../contract.ts";
import { listedModels } from "../shared/acp/restart.ts";
import { commandsOf } from "../shared/program/program-commands.ts";
import { requireProgram } from "../shared/program/program.ts";
import { history } from "./history.ts";
import { environmentOf, geminiFolder, program } from "./program.ts";
import { openSession } from "./session.ts";
import { mcpServersIn } from "../shared/program/mcp-list.ts";

const withoutBrowser =
  "Set GEMINI_API_KEY to a key of https://aistudio.google.com/apikey, or start it with NO_BROWSER=true and open the address it shows on another machine.";

export function management(context: AgentContext): AgentManagement {
  const folder = geminiFolder(context.env);
  return {
    // The program has no command for sign-in: it asks at start when nobody is signed in, and at /auth.
    login: async () => ({ ...commandsOf(program, context)(), withoutBrowser }),
    update: async () => ({ command: "npm", args: ["install", "-g", "@google/gemini-cli@latest"] }),
    interface: async () => commandsOf(program, context)(),
    about: async () => [
      { label: "protocol", value: "ACP on its standard input and output" },
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

/** An empty folder of Reins, which is safe to trust because it contains nothing. */
async function emptyFolder(context: AgentContext): Promise<{ cwd: string; env: Record<string, string> }> {
  const cwd = join(stateHome(context.env), "gemini", "empty");
  await mkdir(cwd, { recursive: true, mode: 0o700 });
  return { cwd, env: { GEMINI_CLI_TRUST_WORKSPACE: "true" } };
}

/** The program prints the list on stderr. */
async function listServers(context: AgentContext): Promise<readonly McpServerInfo[]> {
  const { path, args } = await requireProgram(program, context.env);
  const { cwd, env } = await emptyFolder(context);
  const { stdout, stderr } = await context.processes.run(
    { command: path, args: [...args, "mcp", "list"], cwd, env: environmentOf(context.env, env), agent: program.id },
    context.deadlines.request,
  );
  return mcpServersIn(`${stdout}\n${stderr}`, mcpLine);
}

async function askModels(context: AgentContext): Promise<readonly ModelInfo[]> {
  const { cwd, env } = await emptyFolder(context);
  const command = await requireProgram(program, context.env);
  const models = await listedModels(openSession(context, { sessionId: "models", cwd, env, mode: "read" }, command));
  return models.map(({ id, label, description, current }) => ({
    id,
    label,
    description,
    default: id === "auto" ? true : undefined,
    current: current ? true : undefined,
    provider: "google",
  }));
}

/** "✓ name: target (stdio) - Connected"; an extension's server has "(from extension)" after its name. */
export const mcpLine =
  /^\S+ (?<name>[^:]+?)(?: \(from [^:]+\))?: (?<target>.*?) *\((?<transport>stdio|http|sse)\) - (?<said>.+)$/u;

const address = "https://generativelanguage.googleapis.com";

export async function verifyKey({ env, deadlines, fetch: ask = fetch }: AgentContext): Promise<Verification> {
  const key = env["GEMINI_API_KEY"];
  if (!key) return { outcome: "no_key", message: "GEMINI_API_KEY is not set; an account shows only in a prompt." };
  const url = `${env["GOOGLE_GEMINI_BASE_URL"] || address}/v1beta/models?pageSize=1`;
  try {
    const { ok, status } = await ask(url, {
      headers: { "x-goog-api-key": key },
      signal: AbortSignal.timeout(deadlines.request),
    });
    if (ok) return { outcome: "works", message: "The service accepted the key." };
    if (status >= 500) return { outcome: "unreachable", message: `The service answered with status ${status}.` };
    return { outcome: "refused", message: `The service refused the key with status ${status}.` };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { outcome: "unreachable", message: `The service could not be asked: ${why}.` };
  }
}
