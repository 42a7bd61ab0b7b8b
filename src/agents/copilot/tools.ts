/** Copilot's tools. Over ACP they have no names: a call is recognised by the words of its title and the fields of its input. */
import type { AcpCall, AcpTool } from "../../protocols/acp/index.ts";
import { record, text, type JsonObject } from "../../protocols/json.ts";
import type { CanonicalInput, Tool } from "../../events/tools.ts";

export const toolNames: ReadonlyMap<string, Tool> = new Map([
  ["bash", "shell"],
  ["powershell", "shell"],
  ["view", "read"],
  ["create", "write"],
  ["edit", "edit"],
  ["apply_patch", "edit"],
  ["grep", "grep"],
  ["glob", "glob"],
  ["task", "task"],
  ["web_fetch", "web_fetch"],
  ["web_search", "web_search"],
  ["ask_user", "question"],
  ["update_todo", "plan"],
  ["store_memory", "memory"],
]);

/** Titles of calls and of permissions, which use other words. */
const titles: readonly (readonly [RegExp, string])[] = [
  [/^Creat(?:ing|e file)\b/, "create"],
  [/^Edit(?:ing| file)\b/, "edit"],
  [/^Viewing\b/, "view"],
  [/^Searching for '/, "grep"],
  [/^Finding files matching /, "glob"],
  [/^Reading shell output/, "read_bash"],
  [/^Fetching\b/, "web_fetch"],
];

export function toolOfCall(call: AcpCall, servers: readonly string[]): Partial<AcpTool> | undefined {
  const input = record(call.input);
  const title = call.announced ?? call.title ?? "";
  const name = nameIn(title, input) ?? (/^[\w.-]+$/.test(title) ? title : undefined);
  return name === undefined ? undefined : described(name, input, servers);
}

export function described(nativeName: string, input: JsonObject, servers: readonly string[]): AcpTool {
  const tool = toolNames.get(nativeName);
  const mcp = tool === undefined ? mcpOf(nativeName, servers) : undefined;
  if (mcp !== undefined) return { tool: "mcp", nativeName, mcp, input: { server: mcp.server, name: mcp.tool } };
  return { tool: tool ?? "other", nativeName, input: canonicalInput(tool, input) };
}

function nameIn(title: string, input: JsonObject): string | undefined {
  if (typeof input["agent_type"] === "string") return "task";
  if (typeof input["command"] === "string") return "bash";
  return titles.find(([pattern]) => pattern.test(title))?.[1];
}

function canonicalInput(tool: Tool | undefined, input: JsonObject): CanonicalInput {
  const path = text(input["path"]) ?? text(input["fileName"]);
  switch (tool) {
    case "shell":
      return { command: text(input["command"]), description: text(input["description"]) };
    case "grep":
    case "glob":
      return { pattern: text(input["pattern"]), path: text(input["paths"]) ?? path };
    case "web_fetch":
      return { url: text(input["url"]) };
    case "web_search":
      return { query: text(input["query"]) };
    case "read":
    case "write":
    case "edit":
      return path === undefined ? {} : { path };
    default:
      return { description: text(input["description"]) };
  }
}

/** Splits `server-tool`. Both may have dashes, but tools seldom do. */
function mcpOf(name: string, servers: readonly string[]): { server: string; tool: string } | undefined {
  const known = servers.filter((server) => name.startsWith(`${server}-`)).sort((a, b) => b.length - a.length)[0];
  const at = known?.length ?? name.lastIndexOf("-");
  return at <= 0 || at === name.length - 1 ? undefined : { server: name.slice(0, at), tool: name.slice(at + 1) };
}

/** Removes the line that Copilot adds to the output of a command. */
export function withoutShellMark(output: string): string {
  return output.replace(/\n?<shellId: \S+ completed with exit code -?\d+>\s*$/, "");
}
