/**
 * A tool call as the rules see it. Its parts are decided one by one, and the strictest decision counts. Resolves
 * paths in the file system.
 */
import { canonicalInput } from "../../events/canonical-input.ts";
import { toolKinds, type Tool, type ToolKind } from "../../events/tools.ts";
import type { AgentEventOf } from "../../events/types.ts";
import { isInside } from "../../workspace/real-paths.ts";
import { commandLineOf, folderOf, foldersOf, setsVariables } from "./command-input.ts";
import type { Compiled } from "./compile.ts";
import { pathParts } from "./path-patterns.ts";
import type { Asked } from "./pattern.ts";
import { readCommandLine } from "./shell/read.ts";
import type { Reading, Word } from "./shell/types.ts";

export type Part =
  | { readonly kind: "call"; readonly what: string }
  | {
      readonly kind: "path";
      /** The tool that would do the same; for a redirection `read` or `write`. */
      readonly tool: Tool;
      readonly real: readonly Asked[];
      readonly written: readonly Asked[];
      /** True when the path is only mentioned in a command's arguments, or only read: no rule has to allow it. */
      readonly mention: boolean;
      readonly what: string;
    }
  | { readonly kind: "command"; readonly words: readonly Word[]; readonly mention: boolean; readonly what: string }
  | { readonly kind: "mcp"; readonly server: string; readonly tool: string; readonly what: string }
  | { readonly kind: "domain"; readonly host: string; readonly mention: boolean; readonly what: string };

export interface Subject {
  readonly tool: Tool;
  readonly parts: readonly Part[];
  /** True when more may happen than is visible, so no rule allows the call. */
  readonly dynamic: boolean;
}

export type Call = Pick<AgentEventOf<"tool.held">, "tool" | "input"> &
  Partial<Pick<AgentEventOf<"tool.held">, "locations" | "mcp">>;

/** Symlinks are resolved for this many words, because that reads the disk. Later words count as written. */
const mostFollowed = 512;
/** More words than this make a command dynamic. Their length is limited by the size of a tool's input. */
const mostMentions = 50_000;

const fileKinds: ReadonlySet<ToolKind> = new Set(["read", "search", "edit", "delete", "move"]);

export function subjectOf(call: Call, compiled: Compiled): Subject {
  const { tool } = call;
  const { parts, dynamic = false } = tool === "shell" ? ofShell(call, compiled) : { parts: ofOther(call, compiled) };
  return { tool, parts: parts.length > 0 ? parts : [{ kind: "call", what: tool }], dynamic };
}

function ofOther({ tool, input, locations = [], mcp }: Call, compiled: Compiled): readonly Part[] {
  const known = canonicalInput(tool, input);
  if (tool === "mcp") {
    const [server, name] = [mcp?.server ?? known.server, mcp?.tool ?? known.name];
    if (server === undefined || name === undefined) return [];
    return [{ kind: "mcp", server, tool: name, what: `${server}/${name}` }];
  }
  if (tool === "web_fetch") {
    return hostsIn(input, known.url).map((host) => ({ kind: "domain", host, mention: false, what: host }));
  }
  const kind = toolKinds[tool];
  if (!fileKinds.has(kind) && tool !== "image") return [];
  const paths = new Set([...locations.map(({ path }) => path), ...(known.paths ?? [])]);
  for (const path of [known.path, known.to]) if (path !== undefined) paths.add(path);
  // A search without a folder searches the current one.
  if (kind === "search" && paths.size === 0) paths.add(".");
  const from = compiled.scope.cwd;
  const reach = kind === "search" ? known.pattern?.match(/^(?:\/|~\/|\.\.\/)[^*?[{(|\\]*/)?.[0] : undefined;
  return [
    ...[...paths].flatMap((path) => pathParts(path, compiled.scope, { tool, mention: false, from })),
    ...(reach === undefined ? [] : pathParts(reach, compiled.scope, { tool, mention: true, from })),
  ];
}

function ofShell({ tool, input }: Call, compiled: Compiled): { parts: readonly Part[]; dynamic: boolean } {
  const line = commandLineOf(input);
  if (line === undefined) return { parts: [], dynamic: true };
  const reading = readCommandLine(line);
  const { cwd } = compiled.scope;
  const folder = folderOf(input, cwd);
  const folders = foldersOf(reading, folder);
  const { path, domain } = compiled.narrowsMentions;
  const named = path ? namedIn(reading) : [];
  const parts: Part[] = [
    ...reading.commands.map(({ words, carrier }): Part => {
      const what = words.map(({ text, dynamic }) => (dynamic ? "…" : text)).join(" ");
      return { kind: "command", words, mention: carrier, what };
    }),
    ...reading.files.flatMap(({ path: file, op }) =>
      folders.all.flatMap((from) => pathParts(file, compiled.scope, { tool: op, mention: op === "read", from })),
    ),
    ...named
      .slice(0, mostMentions)
      .flatMap((one, at) =>
        folders.all.flatMap((from) =>
          pathParts(one, compiled.scope, { tool, mention: true, from, follow: at < mostFollowed }),
        ),
      ),
    ...(domain ? hostsIn(line) : []).map((host): Part => ({ kind: "domain", host, mention: true, what: host })),
  ];
  // After a change of folder, a relative path may be in either folder.
  const adrift = folders.moves && reading.files.some((file) => !/^[/~]/.test(file.path));
  // The same words have another effect in another folder.
  const elsewhere = folders.away || folders.all.some((one) => one !== cwd && !isInside(one, [cwd], cwd));
  const tooMany = named.length > mostMentions;
  return { parts, dynamic: reading.dynamic || adrift || elsewhere || tooMany || setsVariables(input) };
}

/** Words that may be paths. They allow nothing, but a rule may keep every tool away from a path. */
function namedIn({ commands }: Reading): readonly string[] {
  const named = new Set<string>();
  for (const { words } of commands)
    for (const { text, dynamic } of words.slice(1))
      if (!dynamic)
        for (const piece of pathsIn(text))
          if (piece !== "" && !piece.startsWith("-") && piece.length < 4096) named.add(piece);
  return [...named];
}

/** Positions of a path in an argument: `.env`, `if=.env`, `--file=.env`, `-T.env`, `@.env`, `HEAD:.env`. */
function pathsIn(text: string): readonly string[] {
  const [, attached = ""] = /^-[A-Za-z](.+)$/s.exec(text) ?? [];
  const afterEquals = text.slice(text.indexOf("=") + 1);
  const pieces = [text, attached, afterEquals, ...(text.includes(":") ? text.split(":") : [])];
  return pieces.flatMap((piece) => (piece.startsWith("@") ? [piece, piece.slice(1)] : [piece]));
}

const urls = /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>`\\]+/gi;
const deepest = 8;

/** The hosts in a tool's input: one URL, a list, or a text that contains URLs, depending on the agent. */
export function hostsIn(input: unknown, url?: string): readonly string[] {
  const hosts = new Set<string>();
  const add = (text: string) => {
    const host = hostOf(text);
    if (host !== undefined) hosts.add(host);
  };
  const look = (value: unknown, depth: number): void => {
    if (typeof value === "string") for (const [found] of value.matchAll(urls)) add(found.replace(/[,.;:!?)}]+$/, ""));
    else if (typeof value === "object" && value !== null && depth < deepest)
      for (const inner of Object.values(value)) look(inner, depth + 1);
  };
  look(input, 0);
  // A field for a URL may also lack the scheme, have a single slash, or contain line breaks.
  if (url !== undefined) {
    if (hostOf(url) === undefined) add(`https://${url}`);
    else add(url);
  }
  return [...hosts];
}

function hostOf(url: string): string | undefined {
  try {
    return new URL(url).hostname.toLowerCase().replace(/\.$/, "") || undefined;
  } catch {
    return undefined;
  }
}
