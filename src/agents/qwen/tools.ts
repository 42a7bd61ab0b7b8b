/** Qwen Code's tool names in canonical terms, and back. */
import { record } from "../../drivers/stream-json/read.ts";
import type { Tool } from "../../events/tools.ts";
import { describeCall, mcpName } from "../shared/tool-call.ts";
import type { ToolCall } from "../shared/tool-call.ts";

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

export function canonicalTool(nativeName: string): Tool {
  return toolNames.get(nativeName) ?? (mcpName(nativeName) === undefined ? "other" : "mcp");
}

/** Tools that are not offered to the model are called through one that is: what counts is what they are. */
export function unwrapped(nativeName: string, input: unknown): { name: string; input: unknown } {
  const { name, arguments: inner } = record(input);
  return nativeName === "tool_call" && typeof name === "string" ? { name, input: inner } : { name: nativeName, input };
}

export function toolCall(nativeName: string, given: unknown, cwd: string): ToolCall {
  const { name, input } = unwrapped(nativeName, given);
  return describeCall(canonicalTool(name), name, input, { cwd, firstLine: 0 });
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
