/** MCP servers of the person, of the project and of plugins. A server must be approved per folder before it is used. */
import { join } from "node:path";
import { fieldsOf, listOf, type McpServerSettings } from "../agent-loop/index.ts";
import { readJson, writeJson } from "./files.ts";
import { projectFolder, userFolder } from "./places.ts";

export function knownServers(cwd: string, pluginDirs: readonly string[] = []): Map<string, McpServerSettings> {
  const files = [
    join(userFolder(), "mcp.json"),
    join(cwd, ".cursor", "mcp.json"),
    ...pluginDirs.map((dir) => join(dir, "mcp.json")),
  ];
  const servers = files.flatMap((file) => Object.entries(fieldsOf(readJson(file)["mcpServers"])));
  return new Map(servers.map(([name, settings]) => [name, fieldsOf(settings) as McpServerSettings]));
}

const approvals = (cwd: string): string => join(projectFolder(cwd), "mcp-approvals.json");

export const approvedServers = (cwd: string): readonly string[] =>
  listOf(readJson(approvals(cwd))["approved"]).map(String);

export function approve(cwd: string, name: string, isApproved: boolean): void {
  const others = approvedServers(cwd).filter((one) => one !== name);
  writeJson(approvals(cwd), { approved: isApproved ? [...others, name] : others });
}

export function usableServers(
  cwd: string,
  pluginDirs: readonly string[],
  approvesAll: boolean,
): Map<string, McpServerSettings> {
  const approved = approvedServers(cwd);
  return new Map([...knownServers(cwd, pluginDirs)].filter(([name]) => approvesAll || approved.includes(name)));
}
