/** Finds the tool and the title of a call from its name, kind, title and input. */
import { toolForName } from "../../events/aliases.ts";
import { canonicalInput } from "../../events/canonical-input.ts";
import { fitColumns } from "../../events/columns.ts";
import { oneLine } from "../../events/printable.ts";
import { titleOf } from "../../events/titles.ts";
import { kinds, toolKinds, type CanonicalInput, type Tool, type ToolKind } from "../../events/tools.ts";
import type { AcpCall, AcpAgentOptions, AcpTool } from "./options.ts";
import { isRecord, text, type JsonObject } from "../json.ts";

/** `think` may be anything from a note to a subagent, so it maps to `other`. */
const byKind: Readonly<Record<ToolKind, Tool>> = {
  read: "read",
  edit: "edit",
  delete: "delete",
  move: "move",
  search: "grep",
  execute: "shell",
  think: "other",
  fetch: "web_fetch",
  switch_mode: "mode",
  other: "other",
};
const changing: ReadonlySet<ToolKind> = new Set<ToolKind>(["edit", "delete", "move", "execute"]);
const ofFiles: ReadonlySet<Tool> = new Set<Tool>(["read", "write", "edit", "delete", "notebook"]);

export function kindOf(value: unknown): ToolKind | undefined {
  return kinds.find((kind) => kind === value);
}

/** The native name of the tool. Without one, a title of one word that is a common tool name. */
export function nameIn(update: JsonObject, meta: JsonObject): string | undefined {
  const title = text(update["title"]);
  const asTitle = title !== undefined && /^[\w-]+$/.test(title) && toolForName(title) !== "other" ? title : undefined;
  const nested = Object.values(meta).map((value) => (isRecord(value) ? text(value["toolName"]) : undefined));
  return text(update["name"]) ?? text(meta["toolName"]) ?? nested.find((name) => name !== undefined) ?? asTitle;
}

export function toolOf(call: AcpCall, diffPaths: readonly string[], quirks: AcpAgentOptions): AcpTool {
  const own = quirks.tool?.(call);
  const nativeName = own?.nativeName ?? call.name ?? call.kind ?? "tool";
  const tool = own?.tool ?? guess(own?.nativeName ?? call.name, call.kind);
  const input = own?.input ?? canonicalInput(tool, call.input);
  return { ...own, tool, nativeName, input: ofFiles.has(tool) ? withPaths(input, call, diffPaths) : input };
}

/** The name decides, unless the kind says that more may happen. */
function guess(name: string | undefined, kind: ToolKind | undefined): Tool {
  const named = name === undefined ? "other" : toolForName(name);
  if (kind === undefined) return named;
  if (named === "other" || (changing.has(kind) && toolKinds[named] !== kind)) return byKind[kind];
  return named;
}

function withPaths(input: CanonicalInput, call: AcpCall, diffPaths: readonly string[]): CanonicalInput {
  // Ignore the paths of diffs: a diff may spell the same file differently.
  if (input.path !== undefined) return { ...input, paths: undefined };
  if (input.paths !== undefined) return input;
  const paths = [...new Set([...call.locations.map(({ path }) => path), ...diffPaths])];
  if (paths.length === 0) return input;
  return paths.length === 1 ? { ...input, path: paths[0] } : { ...input, paths };
}

export function titleFor({ tool, nativeName, input }: AcpTool, title: string | undefined, cwd: string): string {
  const says = title !== undefined && title !== nativeName && Object.keys(input).length === 0;
  const own = says ? fitColumns(oneLine(title), 80) : "";
  return own || titleOf(tool, input, { cwd, nativeName });
}

/** Parses `mcp__server__tool`. The server's name may itself contain single underscores. */
export function mcpIn(nativeName: string): { server: string; tool: string } | undefined {
  const match = /^mcp__(.+?)__(.+)$/s.exec(nativeName);
  return match ? { server: match[1]!, tool: match[2]! } : undefined;
}
