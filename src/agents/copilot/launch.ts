/** Options of a session as Copilot's command line and environment. */
import { dirname } from "node:path";
import { ReinsError } from "../../events/errors.ts";
import { childEnvironment } from "../../process/index.ts";
import type { McpServer, OpenOptions } from "../contract.ts";
import { filterArguments, lookingTools } from "./tool-filter.ts";
import { program } from "./program.ts";

export interface LaunchFiles {
  readonly mcpConfig?: string | undefined;
  readonly instructions?: string | undefined;
}

type Launched = Pick<OpenOptions, "mode" | "tools" | "directories" | "extraArgs">;

/** With these it would no longer ask, or do more than the mode of the session says. */
const unheldArguments: ReadonlySet<string> = new Set([
  "--allow-all",
  "--allow-all-tools",
  "--allow-all-paths",
  "--allow-all-urls",
  "--yolo",
  "--assisted-approval",
  "--autopilot",
  "--mode",
  "--plan",
  "--available-tools",
]);
const unheldVariables = ["COPILOT_ALLOW_ALL", "COPILOT_ASSISTED_APPROVAL"];

export function acpArguments(options: Launched, files: LaunchFiles = {}): string[] {
  return ["--acp", ...commonArguments(options, files)];
}

/** One process a prompt, which it reads from its input. It asks nobody: what the mode does not allow here is denied. */
export function oneShotArguments(
  options: Launched & Pick<OpenOptions, "model">,
  files: LaunchFiles,
  conversation: string,
): string[] {
  const { mode, model, directories = [] } = options;
  return [
    "--output-format=json",
    `--session-id=${conversation}`,
    ...(model === undefined ? [] : [`--model=${model}`]),
    ...(mode === "plan" ? ["--plan"] : []),
    ...(mode === "edits" ? ["--allow-tool=write"] : []),
    ...(mode === "full" ? ["--allow-all"] : []),
    ...directories.map((directory) => `--add-dir=${directory}`),
    ...commonArguments(options, files),
  ];
}

function commonArguments({ mode, tools, extraArgs = [] }: Launched, files: LaunchFiles): string[] {
  const loose = extraArgs.find((argument) => unheldArguments.has(argument.split("=", 1)[0]!));
  if (loose !== undefined) throw unheld(`the argument ${loose}`);
  return [
    ...(mode === "read" ? [`--available-tools=${lookingTools.join(",")}`] : []),
    ...filterArguments(tools ?? {}),
    ...(files.mcpConfig === undefined ? [] : [`--additional-mcp-config=@${files.mcpConfig}`]),
    ...extraArgs,
  ];
}

/** The file behind `--additional-mcp-config`: the servers of `session/new` are taken and never started. */
export function mcpConfigOf(servers: Readonly<Record<string, McpServer>>): string {
  const all = { tools: ["*"] };
  const mcpServers = Object.entries(servers).map(([name, server]) => [
    name,
    "command" in server ? { type: "local", args: [], ...server, ...all } : { ...server, ...all },
  ]);
  return JSON.stringify({ mcpServers: Object.fromEntries(mcpServers) as unknown });
}

const declaredNames = ["GH_TOKEN", "GITHUB_TOKEN", "GH_HOST", "GH_CONFIG_DIR", "USE_BUILTIN_RIPGREP", "SSH_AUTH_SOCK"];

/** What a Copilot gives to its tools. Where Reins is such a tool, the new session is not a part of the outer one. */
const ofAnOuterSession = [
  "COPILOT_AGENT_SESSION_ID",
  "COPILOT_CLI",
  "COPILOT_CLI_BINARY_VERSION",
  "COPILOT_CLI_RESOLVED_DIST_DIR",
];

export function environmentOf(
  parentEnv: Readonly<Record<string, string | undefined>>,
  extra: Readonly<Record<string, string>> = {},
  files: LaunchFiles = {},
): Record<string, string> {
  const env = childEnvironment(parentEnv, { names: declaredNames, prefixes: ["COPILOT_"] });
  for (const name of [...ofAnOuterSession, ...unheldVariables]) delete env[name];
  const loose = unheldVariables.find((name) => name in extra);
  if (loose !== undefined) throw unheld(`the variable ${loose}`);
  // A program that replaces itself between two turns is not the one that was looked at.
  env["COPILOT_AUTO_UPDATE"] ??= "false";
  const all = { ...env, ...extra };
  if (files.instructions === undefined) return all;
  const folders = [all["COPILOT_CUSTOM_INSTRUCTIONS_DIRS"], dirname(files.instructions)].filter(Boolean);
  return { ...all, COPILOT_CUSTOM_INSTRUCTIONS_DIRS: folders.join(",") };
}

function unheld(what: string): ReinsError {
  return new ReinsError("invalid_input", `Reins cannot hold GitHub Copilot's tools with ${what}.`, {
    agent: program.id,
    help: "Leave it out.",
  });
}
