/** Maps Gemini CLI's tools to canonical terms and back. It reports no inputs, so they are read from the titles. */
import { readFileSync } from "node:fs";
import type { AcpCall, AcpTool } from "../../protocols/acp/index.ts";
import type { CanonicalInput, Tool } from "../../events/tools.ts";
import { headline } from "../shared/tool-call.ts";

const toolNames: ReadonlyMap<string, Tool> = new Map<string, Tool>([
  ["read_file", "read"],
  ["read_many_files", "read"],
  ["get_internal_docs", "read"],
  ["write_file", "write"],
  ["replace", "edit"],
  ["list_directory", "list"],
  ["glob", "glob"],
  ["grep_search", "grep"],
  ["search_file_content", "grep"],
  ["run_shell_command", "shell"],
  ["list_background_processes", "shell"],
  ["read_background_output", "shell"],
  ["google_web_search", "web_search"],
  ["web_fetch", "web_fetch"],
  ["write_todos", "plan"],
  ["exit_plan_mode", "plan"],
  ["enter_plan_mode", "mode"],
  ["invoke_agent", "task"],
  ["ask_user", "question"],
  ["save_memory", "memory"],
  ["read_mcp_resource", "mcp"],
  ["list_mcp_resources", "mcp"],
]);

export function canonicalTool(nativeName: string): Tool {
  return toolNames.get(nativeName) ?? (nativeName.startsWith("mcp_") ? "mcp" : "other");
}

/** All native names of a canonical tool; a native name stays as it is. */
export function nativeNames(name: string): string[] {
  const names = [...toolNames].filter(([, tool]) => tool === name).map(([native]) => native);
  return names.length > 0 ? names : [name];
}

/** Ids of calls begin with the name of the tool: `write_file__write_file_1794769887258_0`, or `write_file__` and the model's id. */
export function nameIn(callId: string): string | undefined {
  return /^(.+?)__/s.exec(callId)?.[1];
}

export function toolOf({ id, name, title = "", locations }: AcpCall): Partial<AcpTool> | undefined {
  const nativeName = nameIn(id) ?? name;
  if (nativeName === undefined) return undefined;
  const tool = canonicalTool(nativeName);
  if (nativeName === "exit_plan_mode") {
    const given = planIn(title);
    return { tool, nativeName, given, input: { description: headline(given?.plan) } };
  }
  const mcp = tool === "mcp" ? mcpIn(title) : undefined;
  const input = mcp === undefined ? inputIn(nativeName, title) : { server: mcp.server, name: mcp.tool };
  const [location] = locations;
  const given = input ?? (location === undefined ? undefined : { path: location.path });
  return { tool, nativeName, mcp, given, ...(input === undefined ? {} : { input }) };
}

/** Parses "add (files MCP Server)". */
function mcpIn(title: string): { server: string; tool: string } | undefined {
  const [, tool, server] = /^(.+) \((.+) MCP Server\)$/s.exec(title) ?? [];
  return tool === undefined || server === undefined ? undefined : { server, tool };
}

function inputIn(nativeName: string, title: string): CanonicalInput | undefined {
  if (title === "") return undefined;
  switch (nativeName) {
    case "run_shell_command":
      return { command: title };
    case "list_directory":
      return { path: title };
    case "glob":
    case "grep_search":
    case "search_file_content":
      // For example: 'hello' across all workspace directories, 'hello' in *.ts within src
      return { pattern: /^'(.*)'/s.exec(title)?.[1] ?? title };
    case "google_web_search":
      return { query: /"(.*)"$/s.exec(title)?.[1] ?? title };
    case "invoke_agent":
      return { description: /'(.*)'$/s.exec(title)?.[1] ?? title };
    case "enter_plan_mode":
      return { name: "plan" };
    case "web_fetch":
      return { url: /https?:\/\/[^\s"']+/.exec(title)?.[0] };
    default:
      // The locations contain the file of a read or an edit; other titles are clear by themselves.
      return undefined;
  }
}

const longestPlan = 256 * 1024;

/** Reads a plan to approve: the title has only the path of its file, which the folder and the extension show to be a plan. */
function planIn(title: string): { plan: string; path?: string } | undefined {
  const path = /: (\/.+[\\/]plans[\\/][\w-]+\.md)$/s.exec(title)?.[1];
  if (path === undefined) return undefined;
  try {
    return { plan: readFileSync(path, "utf8").slice(0, longestPlan), path };
  } catch {
    return { plan: "", path };
  }
}
