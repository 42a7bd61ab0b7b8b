/** What `gemini mcp list` prints, as servers. */
import type { McpServerInfo } from "../contract.ts";

/** "✓ name: target (stdio) - Connected", and behind an extension's server "(from extension)". */
const line = /^\S+ (?<name>[^:]+): (?<target>.*?) *\((?<transport>stdio|http|sse)\) - (?<said>.+)$/u;

export function mcpServersIn(printed: string): McpServerInfo[] {
  return printed.split("\n").flatMap((text) => {
    const found = line.exec(text.trim())?.groups;
    if (found === undefined) return [];
    const { name = "", target = "", transport, said = "" } = found;
    return [
      {
        name: name.replace(/ \(from .+\)$/, ""),
        target,
        transport: transport as McpServerInfo["transport"],
        status: statusOf(said),
        detail: said,
      },
    ];
  });
}

function statusOf(said: string): McpServerInfo["status"] {
  if (/^connected/i.test(said)) return "connected";
  if (/^disconnected/i.test(said)) return "failed";
  return /disabled|blocked/i.test(said) ? "disabled" : "unknown";
}
