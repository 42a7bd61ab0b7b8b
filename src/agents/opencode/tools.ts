/** OpenCode's tool names and inputs in canonical terms, and back. */
import { list, number, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import { titleOf } from "../../events/titles.ts";
import { toolKinds } from "../../events/tools.ts";
import type { CanonicalInput, Tool } from "../../events/tools.ts";
import type { Location } from "../../events/types.ts";
import type { ToolCall } from "../shared/tool-call.ts";
import { workspacePath } from "../shared/workspace-path.ts";
import { patchedFiles } from "./patch.ts";

const toolNames: ReadonlyMap<string, Tool> = new Map<string, Tool>([
  ["bash", "shell"],
  ["read", "read"],
  ["write", "write"],
  ["edit", "edit"],
  ["multiedit", "edit"],
  ["apply_patch", "edit"],
  ["glob", "glob"],
  ["grep", "grep"],
  ["list", "list"],
  ["webfetch", "web_fetch"],
  ["websearch", "web_search"],
  ["codesearch", "web_search"],
  ["task", "task"],
  ["todowrite", "plan"],
  ["todoread", "plan"],
  ["plan_exit", "plan"],
  ["plan_enter", "mode"],
  ["question", "question"],
  ["skill", "memory"],
  ["lsp", "grep"],
  ["list_mcp_resources", "mcp"],
  ["list_mcp_resource_templates", "mcp"],
  ["read_mcp_resource", "mcp"],
]);

/** Its own that only look, or only talk to the person; they run unasked, as far as its own rules let them. */
export const lookingTools: ReadonlySet<string> = new Set(
  ["read", "glob", "grep", "list", "lsp", "task", "todowrite", "todoread", "question", "skill"].values(),
);

const filePathTools: ReadonlySet<Tool> = new Set(["read", "write", "edit"]);

export interface Naming {
  readonly cwd: string;
  /** Its MCP servers: a tool of theirs is called by both names, with `_` between them. */
  readonly servers: ReadonlySet<string>;
}

export function toolCall(nativeName: string, input: unknown, { cwd, servers }: Naming): ToolCall {
  const mcp = mcpName(nativeName, servers);
  const tool = toolNames.get(nativeName) ?? (mcp === undefined ? "other" : "mcp");
  const given = record(input);
  const paths = pathsOf(nativeName, given);
  return {
    tool,
    nativeName,
    kind: toolKinds[tool],
    title: titleOf(tool, canonicalInput(tool, given, paths, mcp), { cwd, nativeName }),
    locations: filePathTools.has(tool) && paths.length > 0 ? locationsOf(paths, given, cwd) : undefined,
    mcp,
  };
}

/** What stands in for a call that its model made wrongly tells what was called. */
export function calledName(nativeName: string, input: unknown): string {
  return nativeName === "invalid" ? (text(record(input)["tool"]) ?? nativeName) : nativeName;
}

function mcpName(nativeName: string, servers: ReadonlySet<string>): ToolCall["mcp"] {
  if (toolNames.has(nativeName)) return undefined;
  const server = [...servers]
    .filter((name) => nativeName.startsWith(`${spelledServer(name)}_`))
    .reduce<string | undefined>((longest, name) => (name.length > (longest?.length ?? 0) ? name : longest), undefined);
  return server === undefined ? undefined : { server, tool: nativeName.slice(server.length + 1) };
}

/** In the names of its tools. */
export const spelledServer = (name: string): string => name.replaceAll(/[^a-zA-Z0-9_-]/g, "_");

function pathsOf(nativeName: string, input: Wire): readonly string[] {
  if (nativeName === "apply_patch") return patchedFiles(text(input["patchText"]) ?? "");
  const path = text(input["filePath"]);
  return path === undefined ? [] : [path];
}

function canonicalInput(tool: Tool, input: Wire, paths: readonly string[], mcp: ToolCall["mcp"]): CanonicalInput {
  switch (tool) {
    case "shell":
      return { command: text(input["command"]), description: text(input["description"]) };
    case "read":
    case "write":
    case "edit":
      return paths.length > 1 ? { paths } : { path: paths[0] };
    case "glob":
    case "grep":
      return { pattern: text(input["pattern"]) ?? text(input["operation"]), path: text(input["path"]) };
    case "list":
      return { path: text(input["path"]) };
    case "web_fetch":
      return { url: text(input["url"]) };
    case "web_search":
      return { query: text(input["query"]) };
    case "mcp":
      return { server: mcp?.server ?? text(input["server"]), name: mcp?.tool ?? text(input["uri"]) };
    case "mode":
      return { name: "plan" };
    case "question":
      return { description: text(record(list(input["questions"])[0])["question"]) };
    default:
      return { description: text(input["description"]) ?? text(input["name"]) };
  }
}

function locationsOf(paths: readonly string[], input: Wire, cwd: string): Location[] {
  const line = number(input["offset"]);
  const places = paths.map((path): Location => ({ path: workspacePath(path, cwd) }));
  if (places.length === 1 && line !== undefined && Number.isInteger(line) && line > 0) places[0]!.line = line;
  return places;
}

/** All of its tools of a canonical name, or the one with this name of its own. */
export function nativeToolNames(canonicalOrNative: string): string[] {
  const names = [...toolNames].filter(([, tool]) => tool === canonicalOrNative).map(([native]) => native);
  return names.length > 0 ? names : [canonicalOrNative];
}
