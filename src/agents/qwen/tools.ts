/** Qwen Code's tool names and inputs in canonical terms, and back. */
import { isAbsolute, relative, sep } from "node:path";
import { list, number, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import { titleOf } from "../../events/titles.ts";
import { toolKinds } from "../../events/tools.ts";
import type { CanonicalInput, Tool, ToolKind } from "../../events/tools.ts";
import type { Location } from "../../events/types.ts";

/** What is not here and no MCP tool is `other`, which the policy treats as able to do anything. */
const toolNames: ReadonlyMap<string, Tool> = new Map<string, Tool>([
  ["run_shell_command", "shell"],
  ["read_file", "read"],
  ["edit", "edit"],
  ["write_file", "write"],
  ["grep_search", "grep"],
  ["glob", "glob"],
  ["list_directory", "list"],
  ["agent", "task"],
  ["todo_write", "plan"],
  ["web_fetch", "web_fetch"],
  ["web_search", "web_search"],
  ["ask_user_question", "question"],
  ["notebook_edit", "notebook"],
  ["save_memory", "memory"],
  ["zoom_image", "read"],
  ["lsp", "read"],
  ["tool_search", "list"],
  ["list_agents", "list"],
  ["cron_list", "list"],
  ["get_goal", "plan"],
  ["update_goal", "plan"],
  ["propose_goal", "plan"],
  ["task_create", "plan"],
  ["task_update", "plan"],
  ["task_list", "plan"],
  ["exit_plan_mode", "plan"],
  ["enter_plan_mode", "mode"],
  ["monitor", "shell"],
  ["exec", "shell"],
  ["task_stop", "task"],
  ["send_message", "task"],
  ["create_sub_session", "task"],
  ["workflow", "task"],
  ["image_gen", "image"],
  ["display_image", "image"],
  ["read_mcp_resource", "mcp"],
  // Their names in older versions.
  ["replace", "edit"],
  ["search_file_content", "grep"],
  ["task", "task"],
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
function mcpName(nativeName: string): { server: string; tool: string } | undefined {
  const match = /^mcp__(.+?)__(.+)$/s.exec(nativeName);
  return match ? { server: match[1]!, tool: match[2]! } : undefined;
}

/** Tools that are not offered to the model are called through one that is: what counts is what they are. */
export function unwrapped(nativeName: string, input: unknown): { name: string; input: unknown } {
  const { name, arguments: inner } = record(input);
  return nativeName === "tool_call" && typeof name === "string" ? { name, input: inner } : { name: nativeName, input };
}

export function toolCall(nativeName: string, given: unknown, cwd: string): ToolCall {
  const { name, input } = unwrapped(nativeName, given);
  const tool = canonicalTool(name);
  const mcp = mcpName(name);
  const fields = record(input);
  const canonical = canonicalInput(tool, fields, mcp);
  const { path } = canonical;
  return {
    tool,
    nativeName: name,
    kind: toolKinds[tool],
    title: titleOf(tool, canonical, { cwd, nativeName: name }),
    locations: path !== undefined && filePathTools.has(tool) ? [locationOf(path, fields, cwd)] : undefined,
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
      return { path: pathOf(input) };
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
      return { server: mcp?.server ?? text(input["server_name"]), name: mcp?.tool ?? text(input["uri"]) };
    case "mode":
      return { name: "plan" };
    case "question":
      return { description: text(record(list(input["questions"])[0])["question"]) };
    case "plan":
      return { description: text(input["subject"]) ?? text(input["reason"]) };
    default:
      return { description: text(input["description"]) ?? text(input["skill"]) ?? text(input["fact"]) };
  }
}

/** The file a call is about. */
export function pathOf(input: Wire): string | undefined {
  return text(input["file_path"]) ?? text(input["notebook_path"]) ?? text(input["path"]);
}

function locationOf(path: string, input: Wire, cwd: string): Location {
  const line = number(input["offset"]);
  const place = workspacePath(path, cwd);
  // It counts lines from nought.
  return line !== undefined && Number.isInteger(line) && line >= 0 ? { path: place, line: line + 1 } : { path: place };
}

/** Relative to the workspace where it is inside, as everywhere in Reins; else as it is. */
export function workspacePath(path: string, cwd: string): string {
  if (!isAbsolute(path)) return path;
  const inside = relative(cwd, path);
  return inside === "" || inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? path : inside;
}

/**
 * How a tool filter is spelled for Qwen Code: a canonical tool, with or without a rule in parentheses (`shell(git *)`), becomes
 * all of its tools of that kind; anything else is taken as its own spelling.
 */
export function nativeToolNames(canonicalOrNative: string): string[] {
  const [, name = "", rule = ""] = /^([a-z_]+)(\(.*\))?$/s.exec(canonicalOrNative) ?? [];
  if (name === "mcp") return ["mcp__*"];
  const names = [...toolNames].filter(([, tool]) => tool === name).map(([native]) => native + rule);
  return names.length > 0 ? names : [canonicalOrNative];
}
