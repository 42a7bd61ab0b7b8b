/** MCP servers and further directories, as far as an agent takes them. */
import { offers } from "./capabilities.ts";
import { record } from "./read.ts";
import type { Wire } from "./read.ts";
import type { AcpMcpServer, AcpOptions } from "./types.ts";

export interface Servers {
  readonly mcpServers: readonly Wire[];
  readonly directories: Wire;
}

/** Every agent takes servers it starts itself; the others only those that say so. */
export function serversFor(
  { name, mcpServers = {}, directories = [] }: Pick<AcpOptions, "name" | "mcpServers" | "directories">,
  capabilities: Wire,
): { servers: Servers; divergences: string[] } {
  const taken = record(capabilities["mcpCapabilities"]);
  const takesDirectories = offers(capabilities, "additionalDirectories");
  const divergences: string[] = [];
  const servers: Wire[] = [];
  for (const [server, how] of Object.entries(mcpServers)) {
    if ("command" in how || taken[how.type] === true) servers.push(serverOf(server, how));
    else divergences.push(`${name} takes no MCP servers over ${how.type}; it goes on without ${server}.`);
  }
  if (directories.length > 0 && !takesDirectories)
    divergences.push(`${name} takes no further directories; it goes on without.`);
  const further = directories.length > 0 && takesDirectories ? { additionalDirectories: [...directories] } : {};
  return { servers: { mcpServers: servers, directories: further }, divergences };
}

function serverOf(name: string, server: AcpMcpServer): Wire {
  if ("command" in server) return { name, command: server.command, args: server.args ?? [], env: pairs(server.env) };
  return { type: server.type, name, url: server.url, headers: pairs(server.headers) };
}

function pairs(values: Readonly<Record<string, string>> | undefined): Wire[] {
  return Object.entries(values ?? {}).map(([name, value]) => ({ name, value }));
}
