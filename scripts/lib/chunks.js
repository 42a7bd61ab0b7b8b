/** Which modules of the command are put into one file, because they are loaded together: each file takes a third of a millisecond, and a quick command had sixty. */
import { relative } from "node:path";
import { root } from "./command.js";

/** Each is loaded after those before it, or not at all. */
const parts = {
  start: ["cli/main"],
  run: ["cli/program", "cli/run"],
  asking: ["cli/served-reins"],
  own: ["cli/own-reins"],
  acp: ["agents/acp/index"],
};

/** For rolldown, from what it makes when nobody tells it: a file for what is loaded in the same places. */
export function chunkGroups(output) {
  const files = new Map(output.map((chunk) => [chunk.fileName, chunk]));
  const loadedBy = (modules) => {
    const found = new Set(output.filter((chunk) => modules.some((name) => has(chunk, name))));
    for (const { imports } of found) for (const name of imports) if (files.has(name)) found.add(files.get(name));
    return found;
  };
  const { start, run, asking, own, acp } = Object.fromEntries(
    Object.entries(parts).map(([name, modules]) => [name, loadedBy(modules)]),
  );
  // A command asks a server or does it itself: what both need comes with what every command needs.
  const always = run.union(asking.intersection(own)).difference(start);
  const rest = (chunks, ...earlier) => earlier.reduce((left, one) => left.difference(one), chunks);
  return [
    group("run", always),
    group("asking", rest(asking, start, always)),
    group("own", rest(own, start, always)),
    group("acp", rest(acp, start, always, own)),
  ];
}

function group(name, chunks) {
  const modules = new Set([...chunks].flatMap(({ moduleIds }) => moduleIds));
  return { name, test: (id) => modules.has(id) };
}

function has({ moduleIds }, name) {
  return moduleIds.some((id) => relative(root, id) === `dist/${name}.js`);
}
