/** What a call is about, for finding it again among those that the stream tells: they may have another id there, and other names for things. */
import { resolve } from "node:path";
import { record, text } from "../../../drivers/stream-json/read.ts";
import { toolKinds } from "../../../events/tools.ts";
import type { Tool } from "../../../events/tools.ts";

export interface Subject {
  readonly kind: string;
  readonly about: string | undefined;
  /** The folder a command runs in, where that is told. */
  readonly folder?: string | undefined;
}

const commands = ["command"];
const folders = ["working_directory", "workingDirectory", "cwd"];
const paths = ["path", "file_path", "filePath", "target_file", "targetFile", "target_directory", "targetDirectory"];
const others = ["url", "pattern", "globPattern", "glob_pattern", "query", "search_term", "searchTerm", "description"];

/** Writing and editing have one name in hooks and two elsewhere, so it is their kind that counts. `beside`: a folder that is told beside the input. */
export function subjectOf(tool: Tool, input: unknown, cwd: string, nativeName: string, beside?: string): Subject {
  const kind = toolKinds[tool] === "other" || toolKinds[tool] === "think" ? tool : toolKinds[tool];
  const given = record(input);
  const first = (names: readonly string[]): string | undefined =>
    names.map((name) => text(given[name])).find((value) => value !== undefined);
  if (tool === "mcp") return { kind, about: first(["toolName", "tool"]) ?? /^mcp:(.+)$/is.exec(nativeName)?.[1] };
  if (tool === "shell") {
    const folder = first(folders) ?? text(beside);
    return { kind, about: first(commands), folder: folder === undefined ? undefined : resolve(cwd, folder) };
  }
  const path = first(paths);
  return { kind, about: path === undefined ? first(others) : resolve(cwd, path) };
}

/** Not where both tell where they run, and it is not the same place. */
export function mayBeIn(one: Subject, other: Subject): boolean {
  return one.folder === undefined || other.folder === undefined || one.folder === other.folder;
}

/** The same thing, or, of those of one kind, the only one that can be meant. */
export function findAlike<Call extends { readonly subject: Subject }>(
  calls: readonly Call[],
  wanted: Subject,
): Call | undefined {
  const { kind, about } = wanted;
  const alike = calls.filter(({ subject }) => subject.kind === kind);
  const same = alike.filter(({ subject }) => about !== undefined && subject.about === about);
  // The stream may have another name for the same folder.
  if (same.length > 0) return same.find(({ subject }) => mayBeIn(subject, wanted)) ?? same[0];
  const unclear = alike.filter(({ subject }) => about === undefined || subject.about === undefined);
  return unclear.length === 1 ? unclear[0] : undefined;
}
