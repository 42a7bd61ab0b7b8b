/** Which modules of the command are put into one file, because they are loaded together: each file takes a third of a millisecond, and a quick command had sixty. */
import { join, relative } from "node:path";
import type { OutputChunk } from "rolldown";

const root = join(import.meta.dirname, "../..");

interface Group {
  readonly name: string;
  readonly test: (id: string) => boolean;
}

/** Each is loaded after those before it, or not at all. */
const parts = {
  start: ["cli/main"],
  tui: ["cli/open-tui", "tui/run"],
  run: ["cli/program", "cli/commands/run"],
  asking: ["cli/server-connection/remote"],
  own: ["cli/server-connection/local"],
  acp: ["agents/acp/index"],
};

/** For rolldown, from what it makes when nobody tells it: a file for what is loaded in the same places. */
export function chunkGroups(output: readonly OutputChunk[]): Group[] {
  const files = new Map(output.map((chunk) => [chunk.fileName, chunk]));
  const loadedBy = (modules: readonly string[]): Set<OutputChunk> => {
    const found = new Set(output.filter((chunk) => modules.some((name) => has(chunk, name))));
    for (const { imports } of found) for (const name of imports) if (files.has(name)) found.add(files.get(name)!);
    return found;
  };
  const taken = loadedBy(parts.start);
  const tui = loadedBy(parts.tui);
  const run = loadedBy(parts.run);
  const asking = loadedBy(parts.asking);
  const own = loadedBy(parts.own);
  const acp = loadedBy(parts.acp);
  const group = (name: string, belongs: (chunk: OutputChunk) => boolean): Group => {
    const chunks = output.filter((chunk) => !taken.has(chunk) && belongs(chunk));
    for (const chunk of chunks) taken.add(chunk);
    const modules = new Set(chunks.flatMap(({ moduleIds }) => moduleIds));
    return { name, test: (id) => modules.has(id) };
  };
  return [
    // The terminal interface draws its first frame without the rest of what a command needs.
    group("base", (chunk) => run.has(chunk) && tui.has(chunk)),
    group("tui", (chunk) => tui.has(chunk)),
    // A command asks a server or does it itself: what both need comes with what every command needs.
    group("run", (chunk) => run.has(chunk) || (asking.has(chunk) && own.has(chunk))),
    group("asking", (chunk) => asking.has(chunk)),
    group("own", (chunk) => own.has(chunk)),
    group("acp", (chunk) => acp.has(chunk)),
  ];
}

/** Of the sources, or of what tsc made of them. */
function has({ moduleIds }: OutputChunk, name: string): boolean {
  return moduleIds.some((id) => /^(?:src|dist)\/(.*)\.[jt]s$/.exec(relative(root, id))?.[1] === name);
}
