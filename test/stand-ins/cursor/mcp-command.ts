/** The command `agent mcp list | list-tools | enable | disable | login`. */
import { fieldsOf, listOf, mcpServers, textOf } from "../agent-loop/index.ts";
import type { Arguments } from "./arguments.ts";
import { approve, approvedServers, knownServers } from "./mcp.ts";
import { Ending, say } from "./output.ts";

export async function mcpCommand(given: Arguments): Promise<void> {
  const [, command = "list", name = ""] = given.words;
  const cwd = process.cwd();
  const known = knownServers(cwd);
  if (command === "list") return list(cwd);
  if (!["list-tools", "enable", "disable", "login"].includes(command))
    throw new Ending(1, `error: unknown command '${command}'`);
  if (!known.has(name)) throw new Ending(1, `MCP server '${name}' not found`);
  if (command === "enable" || command === "disable") {
    approve(cwd, name, command === "enable");
    return say(command === "enable" ? `✓ Enabled and approved MCP server: ${name}` : `✓ Disabled MCP server: ${name}`);
  }
  if (command === "login") return say(`Server '${name}' does not require authentication`);
  if (!approvedServers(cwd).includes(name))
    throw new Ending(1, `MCP server "${name}" has not been approved. Run with --approve-mcps or enable it.`);
  await listTools(cwd, name);
}

function list(cwd: string): void {
  const approved = approvedServers(cwd);
  const names = [...knownServers(cwd).keys()];
  if (names.length === 0) return say("No MCP servers configured (expected in .cursor/mcp.json or ~/.cursor/mcp.json)");
  for (const name of names) say(`${name}: ${approved.includes(name) ? "ready" : "not loaded (needs approval)"}`);
}

async function listTools(cwd: string, name: string): Promise<void> {
  const servers = mcpServers(knownServers(cwd), cwd);
  try {
    const connection = await servers.connect(name);
    const tools = listOf(fieldsOf(await connection.request("tools/list", {}))["tools"]).map(fieldsOf);
    say(`Tools for ${name} (${tools.length}):`);
    for (const tool of tools) {
      const parameters = Object.keys(fieldsOf(fieldsOf(tool["inputSchema"])["properties"]));
      say(`- ${textOf(tool["name"])} (${parameters.join(", ")})`);
    }
  } finally {
    servers.close();
  }
}
