import type { McpServer } from "../agents/contract.ts";
import { scriptBeside } from "../process/launch/script-path.ts";

/** A tiny MCP server over stdio with one tool, `add`, as a session is told of it. */
export function mcpServer(): McpServer {
  return { command: process.execPath, args: [scriptBeside(import.meta.url, "mcp-server-main")] };
}
