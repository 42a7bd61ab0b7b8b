/** Tool calls with inputs in the format of Claude Code and agents derived from it, in canonical terms. */
import { list, number, record, text, type JsonObject } from "../../protocols/json.ts";
import { titleOf } from "../../events/titles.ts";
import { toolKinds, type CanonicalInput, type Tool, type ToolKind } from "../../events/tools.ts";
import type { Location } from "../../events/types.ts";
import { displayPath } from "../../events/paths.ts";

/** A tool call, with fields as in `tool.started`, `permission.requested` and `tool.held`. */
export interface ToolCall {
  readonly tool: Tool;
  readonly nativeName: string;
  readonly kind: ToolKind;
  readonly title: string;
  readonly locations: Location[] | undefined;
  readonly mcp: McpName | undefined;
}

interface McpName {
  readonly server: string;
  readonly tool: string;
}

export interface ToolCallOptions {
  readonly cwd: string;
  /** The number of the first line of a file. */
  readonly firstLine: 0 | 1;
}

const filePathTools: ReadonlySet<Tool> = new Set(["read", "write", "edit", "notebook"]);

/** Parses `mcp__server__tool`. A server's name may contain single underscores. */
export function mcpName(nativeName: string): McpName | undefined {
  const match = /^mcp__(.+?)__(.+)$/s.exec(nativeName);
  return match ? { server: match[1]!, tool: match[2]! } : undefined;
}

export function describeCall(tool: Tool, nativeName: string, input: unknown, options: ToolCallOptions): ToolCall {
  const { cwd } = options;
  const mcp = mcpName(nativeName);
  const given = record(input);
  const canonical = canonicalInput(tool, given, mcp);
  const { path } = canonical;
  return {
    tool,
    nativeName,
    kind: toolKinds[tool],
    title: titleOf(tool, canonical, { cwd, nativeName }),
    locations: path !== undefined && filePathTools.has(tool) ? [locationOf(path, given, options)] : undefined,
    mcp,
  };
}

function canonicalInput(tool: Tool, input: JsonObject, mcp: McpName | undefined): CanonicalInput {
  switch (tool) {
    case "shell":
      return { command: text(input["command"]), description: text(input["description"]) };
    case "read":
    case "write":
    case "edit":
    case "notebook":
      return { path: filePath(input) };
    case "list":
      return { path: text(input["path"]), query: text(input["query"]) };
    case "grep":
    case "glob":
      return { pattern: text(input["pattern"]), path: text(input["path"]) };
    case "web_fetch":
      return { url: text(input["url"]) };
    case "web_search":
      return { query: text(input["query"]) };
    case "mcp":
      return {
        server: mcp?.server ?? text(input["server"]) ?? text(input["server_name"]),
        name: mcp?.tool ?? text(input["uri"]),
      };
    case "mode":
      return { name: "plan" };
    case "question":
      return { description: text(record(list(input["questions"])[0])["question"]) };
    case "plan":
      return { description: text(input["subject"]) ?? headline(text(input["plan"])) ?? text(input["reason"]) };
    default:
      return { description: text(input["description"]) ?? text(input["skill"]) ?? text(input["fact"]) };
  }
}

export function filePath(input: JsonObject): string | undefined {
  return text(input["file_path"]) ?? text(input["notebook_path"]) ?? text(input["path"]);
}

/** The first line of a Markdown text that contains words. */
export function headline(markdown: string | undefined): string | undefined {
  return text(/^[#\s]*(\S.*)$/m.exec(markdown ?? "")?.[1]);
}

function locationOf(path: string, input: JsonObject, { cwd, firstLine }: ToolCallOptions): Location {
  const line = number(input["offset"]);
  const place = displayPath(path, cwd);
  const isLine = line !== undefined && Number.isInteger(line) && line >= firstLine;
  return isLine ? { path: place, line: line - firstLine + 1 } : { path: place };
}
