/** Claude Code's tool names in canonical terms, and back. */
import type { Tool } from "../../events/tools.ts";
import { describeCall, mcpName } from "../shared/tool-call.ts";
import type { ToolCall } from "../shared/tool-call.ts";

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

export function canonicalTool(nativeName: string): Tool {
  return toolNames.get(nativeName) ?? (mcpName(nativeName) === undefined ? "other" : "mcp");
}

export function toolCall(nativeName: string, input: unknown, cwd: string): ToolCall {
  return describeCall(canonicalTool(nativeName), nativeName, input, { cwd, firstLine: 1 });
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
