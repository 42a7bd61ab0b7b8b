import { fileURLToPath } from "node:url";
import type { McpServer } from "../agents/contract.ts";

/** A tiny MCP server over stdio with one tool, `add`, as a session is told of it. */
export function mcpServer(): McpServer {
  // This file may be TypeScript (in the repository) or JavaScript (in the package), and so is its neighbour.
  const main = import.meta.url.replace(/mcp-server(\.[jt]s)$/, "mcp-server-main$1");
  return { command: process.execPath, args: [fileURLToPath(main)] };
}
