/** What `copilot mcp list --json` prints. */
import { record, text } from "../../drivers/acp/read.ts";
import type { McpServerInfo } from "../contract.ts";

/** Its arguments and headers may hold secrets, so only the program or the address is told. */
export function mcpServersIn(json: string): McpServerInfo[] {
  return Object.entries(record(record(parsed(json))["mcpServers"])).map(([name, value]) => {
    const server = record(value);
    const [command, url, type] = [text(server["command"]), text(server["url"]), server["type"]];
    return {
      name,
      target: command ?? url,
      transport: type === "http" || type === "sse" ? type : "stdio",
      status: server["enabled"] === false || server["disabled"] === true ? "disabled" : "unknown",
    };
  });
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
