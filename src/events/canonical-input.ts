/** Guesses the canonical input of a tool from common field names, for agents that have no mapping of their own. */
import type { CanonicalInput, Tool } from "./tools.ts";

type Field = keyof CanonicalInput;

/** Field names in lower case, letters only. The first name that has a value wins. */
const names: Readonly<Record<Field, string>> = {
  path: "filepath path file filename targetfile absolutepath relativepath relativeworkspacepath notebookpath dirpath directory dir folder",
  paths: "paths files filepaths filenames changes edits patch patchtext diff input",
  to: "to newpath destination destinationpath dest target targetpath",
  command: "command cmd commandline script argv",
  pattern: "pattern globpattern glob regex regexp query search searchterm",
  query: "query q searchquery searchterm search term queries",
  url: "url uri href link urls",
  description: "description title summary question questions subject objective task prompt message text fact plan mode",
  server: "server servername mcpserver",
  name: "toolname tool name uri mode",
};
const movedFrom = `oldpath sourcepath source from ${names.path}`;

const file: readonly Field[] = ["path", "paths"];
const search: readonly Field[] = ["pattern", "path"];
const words: readonly Field[] = ["description"];

const wanted: Readonly<Record<Tool, readonly Field[]>> = {
  read: file,
  write: file,
  edit: file,
  delete: file,
  notebook: file,
  move: ["path", "to"],
  list: ["path"],
  glob: search,
  grep: search,
  shell: ["command", "description"],
  web_search: ["query"],
  web_fetch: ["url"],
  image: ["path", "description"],
  mcp: ["server", "name"],
  mode: ["name"],
  plan: words,
  task: words,
  question: words,
  memory: words,
  other: words,
};

/** Accepts any JSON value and ignores unknown fields. */
export function canonicalInput(tool: Tool, nativeInput: unknown): CanonicalInput {
  const isPatch = typeof nativeInput === "string" && /^\*\*\* Begin Patch$/m.test(nativeInput);
  const given = fieldsOf(nativeInput, isPatch ? "paths" : wanted[tool][0]);
  const input: Partial<Record<Field, unknown>> = {};
  for (const field of wanted[tool]) {
    const aliases = tool === "move" && field === "path" ? movedFrom : names[field];
    const value = firstOf(aliases.split(" "), (alias) => (readers[field] ?? text)(given.get(alias)));
    if (value !== undefined) input[field] = value;
  }
  return input as CanonicalInput;
}

/** Fields by normalised name. A bare string or a list of arguments becomes the main field. */
function fieldsOf(input: unknown, main: Field | undefined): ReadonlyMap<string, unknown> {
  const parsed = typeof input === "string" && input.startsWith("{") ? parse(input) : input;
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return new Map([[main ?? "", parsed]]);
  return new Map(Object.entries(parsed).map(([name, value]) => [name.toLowerCase().replace(/[^a-z]/g, ""), value]));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function text(value: unknown): string | undefined {
  if (typeof value === "string") return value.trim() === "" ? undefined : value;
  if (Array.isArray(value)) return firstOf(value.slice(0, 1), text);
  if (typeof value !== "object" || value === null) return undefined;
  const { question, text: inner, path } = value as Readonly<Record<string, unknown>>;
  return firstOf([question, inner, path], (entry) => (typeof entry === "string" ? text(entry) : undefined));
}

/** Accepts a command line or a list of arguments. `["bash", "-lc", "npm test"]` gives `npm test`. */
function command(value: unknown): string | undefined {
  if (!Array.isArray(value)) return text(value);
  const words = value.filter((word) => typeof word === "string");
  return text(words.length === 3 && /^-\w*c$/.test(words[1] ?? "") ? words[2] : words.join(" "));
}

/** Accepts a list of paths, a list of objects that have a path, an object keyed by path, or a patch. */
function paths(value: unknown): readonly string[] | undefined {
  let found: readonly (string | undefined)[] = [];
  if (Array.isArray(value)) {
    found = value.flatMap((entry: unknown) =>
      typeof entry === "object" ? [pathIn(entry), movedTo(entry)] : [text(entry)],
    );
  } else if (typeof value === "string") {
    found = inPatch(value);
  } else if (typeof value === "object" && value !== null) {
    found = Object.entries(value).flatMap(([path, change]) => [path, movedTo(change)]);
  }
  const unique = [...new Set(found.filter((path) => path !== undefined))];
  return unique.length === 0 ? undefined : unique;
}

/** All files that a patch touches. A moved file counts with both paths. */
function inPatch(patch: string): readonly string[] {
  const named = patch.matchAll(
    /^(?:\*\*\* (?:(?:Add|Update|Delete) File|Move to): |(?:rename|copy) (?:from|to) )(.+)$/gm,
  );
  const headers = patch.matchAll(/^--- (?:a\/)?(.+)\n\+\+\+ (?:b\/)?(.+)$/gm);
  return [...named, ...headers]
    .flatMap(([, ...files]) => files.map((file) => file.replace(/\t.*$/, "").trim()))
    .filter((file) => file !== "" && file !== "/dev/null");
}

/** Reads `move_path` from a change or from its `kind`. */
function movedTo(change: unknown): string | undefined {
  const given = fieldsOf(change, undefined);
  return text(given.get("movepath")) ?? text(fieldsOf(given.get("kind"), undefined).get("movepath"));
}

function pathIn(entry: unknown): string | undefined {
  const given = fieldsOf(entry, undefined);
  return firstOf(names.path.split(" "), (alias) => text(given.get(alias)));
}

const readers: Readonly<Partial<Record<Field, (value: unknown) => unknown>>> = { paths, command };

function firstOf<Item, Value>(items: readonly Item[], read: (item: Item) => Value | undefined): Value | undefined {
  for (const item of items) {
    const value = read(item);
    if (value !== undefined) return value;
  }
  return undefined;
}
