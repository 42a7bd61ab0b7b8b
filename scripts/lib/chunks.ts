/**
 * Groups the modules of the command that are loaded together into one file: each file costs a third of a millisecond, and a quick command
 * loaded sixty.
 */
import { join, relative } from "node:path";
import type { OutputChunk } from "rolldown";

const root = join(import.meta.dirname, "../..");

interface Group {
  readonly name: string;
  readonly test: (id: string) => boolean;
}

/** Each part is loaded after the ones before it, or not at all. */
const parts = {
  start: ["cli/main"],
  tui: ["cli/open-tui", "tui/run"],
  run: ["cli/program", "cli/commands/run"],
  asking: ["cli/server-connection/remote"],
  own: ["cli/server-connection/local"],
  acp: ["agents/acp/index"],
};

/** Chunk groups for rolldown, computed from its default output, which has one file for all modules loaded in the same places. */
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
    // The terminal interface draws its first frame without loading the other modules of a command.
    group("base", (chunk) => run.has(chunk) && tui.has(chunk)),
    group("tui", (chunk) => tui.has(chunk)),
    // A command either asks a server or does the work itself; modules that both need are loaded with every command.
    group("run", (chunk) => run.has(chunk) || (asking.has(chunk) && own.has(chunk))),
    group("asking", (chunk) => asking.has(chunk)),
    group("own", (chunk) => own.has(chunk)),
    group("acp", (chunk) => acp.has(chunk)),
  ];
}

/** Matches a module of `src` or its compiled form in `dist`. */
function has({ moduleIds }: OutputChunk, name: string): boolean {
  return moduleIds.some((id) => /^(?:src|dist)\/(.*)\.[jt]s$/.exec(relative(root, id))?.[1] === name);
}
