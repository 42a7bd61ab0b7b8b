/** Which modules are put into one file, because they are loaded together: each file takes a third of a millisecond, and a quick command had sixty. */
import { relative } from "node:path";
import { root } from "./command.js";

const commandStart = ["cli/main"];
const running = ["cli/program", "cli/run"];
const asking = ["cli/served-reins"];
const doing = ["cli/own-reins"];

/** For rolldown, from what it makes when nobody tells it: a file for what is loaded in the same places. */
export function chunkGroups(output) {
  const files = new Map(output.map((chunk) => [chunk.fileName, chunk]));
  const loadedBy = (modules) => {
    const found = new Set(output.filter((chunk) => modules.some((name) => has(chunk, (module) => module === name))));
    for (const { imports } of found) for (const name of imports) if (files.has(name)) found.add(files.get(name));
    return found;
  };
  const isPure = (chunk) => chunk.imports.every((name) => files.has(name) && isPure(files.get(name)));
  const first = loadedBy(commandStart);
  const run = loadedBy(running).difference(first);
  const ask = loadedBy(asking).difference(first);
  const own = loadedBy(doing).difference(first);
  const common = [...run.union(ask)].filter((chunk) => !isCommand(chunk));
  return [
    group("run", [...run].filter(isCommand)),
    group("asking", [...ask.difference(run)].filter(isCommand)),
    // The library and pages load them too: nothing in there may need Node.
    group("words", common.filter(isPure)),
    group("own", own.difference(run).difference(ask)),
  ];
}

function group(name, chunks) {
  const modules = new Set([...chunks].flatMap(({ moduleIds }) => moduleIds));
  return { name, test: (id) => modules.has(id) };
}

const isCommand = (chunk) => has(chunk, (module) => module.startsWith("cli/"));

function has({ moduleIds }, matches) {
  return moduleIds.some((id) => matches(relative(root, id).replace(/^dist\/(.*)\.js$/, "$1")));
}
