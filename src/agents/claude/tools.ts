/** Claude Code's tool names and inputs in canonical terms, and back. */
import { isAbsolute, relative, sep } from "node:path";
import { titleOf } from "../../events/titles.ts";
import { toolKinds } from "../../events/tools.ts";
import type { CanonicalInput, Tool, ToolKind } from "../../events/tools.ts";
import type { Location } from "../../events/types.ts";
import { list, number, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";

/** What is not here and no MCP tool is `other`, which the policy treats as able to do anything. */
const toolNames: ReadonlyMap<string, Tool> = new Map<string, Tool>([
  ["Bash", "shell"],
  ["Read", "read"],
  ["Edit", "edit"],
  ["Write", "write"],
  ["Grep", "grep"],
  ["Glob", "glob"],
  ["Agent", "task"],
  ["Task", "task"],
  ["TodoWrite", "plan"],
  ["TaskCreate", "plan"],
  ["TaskUpdate", "plan"],
  ["TaskList", "plan"],
  ["TaskGet", "plan"],
  ["WebFetch", "web_fetch"],
  ["WebSearch", "web_search"],
  ["AskUserQuestion", "question"],
  ["ExitPlanMode", "plan"],
  ["EnterPlanMode", "mode"],
  ["NotebookEdit", "notebook"],
  ["MultiEdit", "edit"],
  ["NotebookRead", "read"],
  ["LS", "list"],
  ["ToolSearch", "list"],
  ["ListAgents", "list"],
  ["CronList", "list"],
  ["Monitor", "shell"],
  ["PowerShell", "shell"],
  ["BashOutput", "shell"],
  ["KillShell", "shell"],
  ["TaskOutput", "task"],
  ["TaskStop", "task"],
  ["SendMessage", "task"],
  ["ListMcpResourcesTool", "mcp"],
  ["ReadMcpResourceTool", "mcp"],
  // Tools that run at the model's service: their calls stand in the model's own messages.
  ["web_search", "web_search"],
  ["web_fetch", "web_fetch"],
]);

const filePathTools: ReadonlySet<Tool> = new Set(["read", "write", "edit", "notebook"]);

/** One call of a tool, in the words of `tool.started`, `permission.requested` and `tool.held`. */
export interface ToolCall {
  readonly tool: Tool;
  readonly nativeName: string;
  readonly kind: ToolKind;
  readonly title: string;
  readonly locations: Location[] | undefined;
  readonly mcp: { server: string; tool: string } | undefined;
}

export function canonicalTool(nativeName: string): Tool {
  return toolNames.get(nativeName) ?? (mcpName(nativeName) === undefined ? "other" : "mcp");
}

/** `mcp__server__tool`; a server's name may itself have single underscores. */
export function mcpName(nativeName: string): { server: string; tool: string } | undefined {
  const match = /^mcp__(.+?)__(.+)$/s.exec(nativeName);
  return match ? { server: match[1]!, tool: match[2]! } : undefined;
}

export function toolCall(nativeName: string, input: unknown, cwd: string): ToolCall {
  const tool = canonicalTool(nativeName);
  const mcp = mcpName(nativeName);
  const given = record(input);
  const canonical = canonicalInput(tool, given, mcp);
  const { path } = canonical;
  return {
    tool,
    nativeName,
    kind: toolKinds[tool],
    title: titleOf(tool, canonical, { cwd, nativeName }),
    locations: path !== undefined && filePathTools.has(tool) ? [locationOf(path, given, cwd)] : undefined,
    mcp,
  };
}

function canonicalInput(tool: Tool, input: Wire, mcp: { server: string; tool: string } | undefined): CanonicalInput {
  switch (tool) {
    case "shell":
      return { command: text(input["command"]), description: text(input["description"]) };
    case "read":
    case "write":
    case "edit":
    case "notebook":
      return { path: text(input["file_path"]) ?? text(input["notebook_path"]) };
    case "list":
      return { path: text(input["path"]), query: text(input["query"]) };
    case "grep":
    case "glob":
      return { pattern: text(input["pattern"]), path: text(input["path"]) };
    case "web_fetch":
      return { url: text(input["url"]) };
    case "web_search":
      return { query: text(input["query"]) };
    case "mcp":
      return { server: mcp?.server ?? text(input["server"]), name: mcp?.tool ?? text(input["uri"]) };
    case "mode":
      return { name: "plan" };
    case "question":
      return { description: text(record(list(input["questions"])[0])["question"]) };
    case "plan":
      return { description: text(input["subject"]) ?? headline(text(input["plan"])) };
    default:
      return { description: text(input["description"]) ?? text(input["skill"]) };
  }
}

/** The first line of a Markdown text that says something. */
function headline(markdown: string | undefined): string | undefined {
  return text(/^[#\s]*(\S.*)$/m.exec(markdown ?? "")?.[1]);
}

function locationOf(path: string, input: Wire, cwd: string): Location {
  const line = number(input["offset"]);
  const place = workspacePath(path, cwd);
  return line !== undefined && Number.isInteger(line) && line > 0 ? { path: place, line } : { path: place };
}

/** Relative to the workspace where it is inside, as everywhere in Reins; else as it is. */
export function workspacePath(path: string, cwd: string): string {
  if (!isAbsolute(path)) return path;
  const inside = relative(cwd, path);
  return inside === "" || inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? path : inside;
}

/**
 * How a tool filter is spelled for Claude Code: a canonical tool, with or without a rule in parentheses (`shell(git *)`),
 * becomes all of its tools of that kind; anything else is taken as its own spelling. `mcp__*` forbids every MCP tool, but
 * does not allow any: for that the agent wants the server's name (`mcp__files`).
 */
export function nativeToolNames(canonicalOrNative: string): string[] {
  const [, name = "", rule = ""] = /^([a-z_]+)(\(.*\))?$/s.exec(canonicalOrNative) ?? [];
  if (name === "mcp") return ["mcp__*"];
  const names = [...toolNames]
    .filter(([native, tool]) => tool === name && native !== tool)
    .map(([native]) => native + rule);
  return names.length > 0 ? names : [canonicalOrNative];
}
