/** What `qwen mcp list` prints, as servers. */
import type { McpServerInfo } from "../contract.ts";

/** "✗ name: target (stdio) - Disconnected (timed out after 10000ms)", in colours. */
const line = /^\S+ (?<name>.+?): (?<target>.*?) +\((?<transport>stdio|http|sse)\) - (?<said>.+)$/u;
const colours = /\x1b\[[0-9;]*m/g;

export function mcpServersIn(printed: string): McpServerInfo[] {
  return printed.split("\n").flatMap((text) => {
    const found = line.exec(text.replaceAll(colours, "").trim())?.groups;
    if (found === undefined) return [];
    const { name = "", target, transport, said = "" } = found;
    return [{ name, target, transport: transport as "stdio" | "http" | "sse", status: statusOf(said), detail: said }];
  });
}

function statusOf(said: string): McpServerInfo["status"] {
  if (/^connected/i.test(said)) return "connected";
  if (/authenticat|oauth/i.test(said)) return "needs_login";
  if (/disabled|pending|rejected|approv/i.test(said)) return "disabled";
  return /^disconnected|fail|error/i.test(said) ? "failed" : "unknown";
}
