/** Signing in, its models, its MCP servers. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { stateHome } from "../../process/home.ts";
import type { AgentContext, AgentManagement, McpServerInfo, ModelInfo, Verification } from "../contract.ts";
import { commandOf, requireProgram } from "../shared/program/program.ts";
import { history } from "./history.ts";
import { environmentOf, geminiFolder, program } from "./program.ts";
import { openSession } from "./session.ts";

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
  const session = await openSession(context, { sessionId: "models", cwd, env, mode: "read" }, command);
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

/** "✓ name: target (stdio) - Connected", and behind an extension's server "(from extension)". */
const line = /^\S+ (?<name>[^:]+): (?<target>.*?) *\((?<transport>stdio|http|sse)\) - (?<said>.+)$/u;

export function mcpServersIn(printed: string): McpServerInfo[] {
  return printed.split("\n").flatMap((text) => {
    const found = line.exec(text.trim())?.groups;
    if (found === undefined) return [];
    const { name = "", target = "", transport, said = "" } = found;
    return [
      {
        name: name.replace(/ \(from .+\)$/, ""),
        target,
        transport: transport as McpServerInfo["transport"],
        status: statusOf(said),
        detail: said,
      },
    ];
  });
}

function statusOf(said: string): McpServerInfo["status"] {
  if (/^connected/i.test(said)) return "connected";
  if (/^disconnected/i.test(said)) return "failed";
  return /disabled|blocked/i.test(said) ? "disabled" : "unknown";
}

const address = "https://generativelanguage.googleapis.com";

/** Whether the key works: its service is asked for its list of models. */
export async function verifyKey({ env, deadlines, fetch: ask = fetch }: AgentContext): Promise<Verification> {
  const key = env["GEMINI_API_KEY"];
  if (!key) return { outcome: "no_key", message: "GEMINI_API_KEY is not set; an account shows only in a prompt." };
  const url = `${env["GOOGLE_GEMINI_BASE_URL"] || address}/v1beta/models?pageSize=1`;
  try {
    const { ok, status } = await ask(url, {
      headers: { "x-goog-api-key": key },
      signal: AbortSignal.timeout(deadlines.request),
    });
    if (ok) return { outcome: "works", message: "The service took the key." };
    if (status >= 500) return { outcome: "unreachable", message: `The service answered with status ${status}.` };
    return { outcome: "refused", message: `The service refused the key with status ${status}.` };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { outcome: "unreachable", message: `The service could not be asked: ${why}.` };
  }
}
