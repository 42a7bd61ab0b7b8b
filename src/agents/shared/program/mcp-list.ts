/** Parses MCP servers from the text that an agent's `mcp list` prints. */
import type { McpServerInfo } from "../../contract.ts";

const colours = /\x1b\[[0-9;]*m/g;

/** `line` has the groups `name`, `target`, `said` and, unless the transport is stdio, `transport`. */
export function mcpServersIn(printed: string, line: RegExp): McpServerInfo[] {
  return printed.split("\n").flatMap((text) => {
    const found = line.exec(text.replaceAll(colours, "").trim())?.groups;
    if (found === undefined) return [];
    const { name = "", target, said = "" } = found;
    const transport = (found["transport"]?.toLowerCase() ?? "stdio") as "stdio" | "http" | "sse";
    return [{ name, target, transport, status: statusOf(said), detail: said }];
  });
}

function statusOf(said: string): McpServerInfo["status"] {
  if (/^connected/i.test(said)) return "connected";
  if (/authenticat|oauth|sign in/i.test(said)) return "needs_login";
  if (/disabled|blocked|pending|rejected|approv/i.test(said)) return "disabled";
  return /^disconnected|fail|error/i.test(said) ? "failed" : "unknown";
}
