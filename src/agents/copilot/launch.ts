import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { Tool } from "../../events/tools.ts";
import type { AcpTool } from "../../protocols/acp/index.ts";
import { isInside } from "../../workspace/real-paths.ts";
import type { McpServer, OpenOptions, ToolFilter } from "../contract.ts";
import { unheld, type LaunchFiles } from "./program.ts";
import { toolNames } from "./tools.ts";

type Launched = Pick<OpenOptions, "mode" | "tools" | "extraArgs">;

/** With these arguments it would stop asking, or do more than the mode of the session allows. */
const unheldArguments: ReadonlySet<string> = new Set(
  [
    "--allow-all --allow-all-tools --allow-all-paths --allow-all-urls --available-tools",
    "--yolo --assisted-approval --autopilot --mode --plan",
  ].flatMap((line) => line.split(" ")),
);

export function acpArguments({ mode, tools, extraArgs = [] }: Launched, files: LaunchFiles = {}): string[] {
  const loose = extraArgs.find((argument) => unheldArguments.has(argument.split("=", 1)[0]!));
  if (loose !== undefined) throw unheld(`the argument ${loose}`);
  return [
    "--acp",
    ...(mode === "read" ? [`--available-tools=${lookingTools.join(",")}`] : []),
    ...filterArguments(tools ?? {}),
    ...(files.mcpConfig === undefined ? [] : [`--additional-mcp-config=@${files.mcpConfig}`]),
    ...extraArgs,
  ];
}

/** The file for `--additional-mcp-config`: Copilot never starts the servers of `session/new`. */
export function mcpConfigOf(servers: Readonly<Record<string, McpServer>>): string {
  const all = { tools: ["*"] };
  const mcpServers = Object.entries(servers).map(([name, server]) => [
    name,
    "command" in server ? { type: "local", args: [], ...server, ...all } : { ...server, ...all },
  ]);
  return JSON.stringify({ mcpServers: Object.fromEntries(mcpServers) as unknown });
}

/** Names of canonical tools in Copilot's rules. Denials outrank everything else there. */
const ruleNames: Partial<Record<Tool, string>> = {
  shell: "shell",
  write: "write",
  edit: "write",
  delete: "write",
  move: "write",
  web_fetch: "url",
};

/** The only tools that the model sees in mode `read`. */
export const lookingTools = ["view", "grep", "glob", "web_fetch", "web_search"];

export function filterArguments({ allowed = [], disallowed = [] }: ToolFilter): string[] {
  return [
    ...allowed.map((rule) => `--allow-tool=${ruleOf(rule)}`),
    // A rule in parentheses covers some calls; without parentheses the whole tool is excluded.
    ...disallowed.flatMap((rule) => namesOf(rule).map((name) => `--excluded-tools=${name}`)),
    ...disallowed.filter((rule) => namesOf(rule).length === 0).map((rule) => `--deny-tool=${ruleOf(rule)}`),
  ];
}

/** Turns `shell(git *)` into `shell(git:*)`. */
function ruleOf(rule: string): string {
  const [, name = "", , part] = /^([a-z_]+)(\((.*)\))?$/s.exec(rule) ?? [];
  const own = ruleNames[name as Tool];
  if (own === undefined) return rule;
  return part === undefined ? own : `${own}(${own === "shell" ? part.replace(/ \*$/, ":*") : part})`;
}

function namesOf(rule: string): string[] {
  return [...toolNames].filter(([name, tool]) => tool === rule || name === rule).map(([name]) => name);
}

/** Copilot's argument for further folders has no effect over ACP, so it asks before it reads there, and Reins allows it. */
export function mayLook({ tool, input }: AcpTool, directories: readonly string[]): boolean {
  const looks = tool === "read" || tool === "grep" || tool === "glob";
  if (!looks || input.path === undefined || !isAbsolute(input.path)) return false;
  return existsSync(input.path) && isInside(input.path, directories, "/");
}
