/** What `claude mcp list` prints, as servers. */
import type { McpServerInfo } from "../contract.ts";

/** "name: target (HTTP) - ✔ Connected", and for a failure " — why". */
const line = /^(?<name>[^:]+): (?<target>.+?)(?: \((?<transport>HTTP|SSE)\))? - (?<mark>[✔✓✘✗!⚠⏸]?) ?(?<said>.+)$/u;

export function mcpServersIn(printed: string): McpServerInfo[] {
  return printed.split("\n").flatMap((text) => {
    const found = line.exec(text.trim())?.groups;
    if (found === undefined) return [];
    const { name = "", target, transport, said = "" } = found;
    return [
      {
        name,
        target,
        transport: transport === undefined ? "stdio" : transport === "HTTP" ? "http" : "sse",
        status: statusOf(said),
        detail: said,
      },
    ];
  });
}

function statusOf(said: string): McpServerInfo["status"] {
  if (/^connected/i.test(said)) return "connected";
  if (/authenticat|sign in/i.test(said)) return "needs_login";
  if (/disabled|pending approval|rejected/i.test(said)) return "disabled";
  return /fail|error/i.test(said) ? "failed" : "unknown";
}
