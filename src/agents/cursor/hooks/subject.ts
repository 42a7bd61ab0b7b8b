/** What a call is about, for finding it again among those that the stream tells: they may have another id there, and other names for things. */
import { isAbsolute, join } from "node:path";
import { record, text } from "../../../drivers/stream-json/read.ts";
import { toolKinds } from "../../../events/tools.ts";
import type { Tool } from "../../../events/tools.ts";

export interface Subject {
  readonly kind: string;
  readonly about: string | undefined;
}

const commands = ["command"];
const paths = ["path", "file_path", "filePath", "target_file", "targetFile", "target_directory", "targetDirectory"];
const others = ["url", "pattern", "globPattern", "glob_pattern", "query", "search_term", "searchTerm", "description"];

/** Writing and editing have one name in hooks and two elsewhere, so it is their kind that counts. */
export function subjectOf(tool: Tool, input: unknown, cwd: string, nativeName: string): Subject {
  const kind = toolKinds[tool] === "other" || toolKinds[tool] === "think" ? tool : toolKinds[tool];
  const given = record(input);
  const first = (names: readonly string[]): string | undefined =>
    names.map((name) => text(given[name])).find((value) => value !== undefined);
  if (tool === "mcp") return { kind, about: first(["toolName", "tool"]) ?? /^mcp:(.+)$/is.exec(nativeName)?.[1] };
  const path = tool === "shell" ? undefined : first(paths);
  const about = tool === "shell" ? first(commands) : path === undefined ? first(others) : absolute(path, cwd);
  return { kind, about };
}

/** The same thing, or, of those of one kind, the only one that can be meant. */
export function findAlike<Call extends { readonly subject: Subject }>(
  calls: readonly Call[],
  { kind, about }: Subject,
): Call | undefined {
  const alike = calls.filter(({ subject }) => subject.kind === kind);
  const same = alike.find(({ subject }) => about !== undefined && subject.about === about);
  if (same !== undefined) return same;
  const unclear = alike.filter(({ subject }) => about === undefined || subject.about === undefined);
  return unclear.length === 1 ? unclear[0] : undefined;
}

function absolute(path: string, cwd: string): string {
  return isAbsolute(path) ? path : join(cwd, path);
}
