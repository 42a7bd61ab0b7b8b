import type { McpServer } from "../agents/contract.ts";
import { scriptBeside } from "../process/launch/script-path.ts";

/** The options of a session for a tiny MCP server over stdio with one tool, `add`. */
export function mcpServer(): McpServer {
  return { command: process.execPath, args: [scriptBeside(import.meta.url, "mcp-server-main")] };
}
