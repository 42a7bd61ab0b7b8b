/** Which modules are put into one file, because a command that is to be quick loads them together: each file takes a third of a millisecond. */
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { root } from "./command.js";

const start = ["dist/cli/main.js"];
const running = ["dist/cli/program.js", "dist/cli/run.js"];
const asking = ["dist/cli/served-reins.js"];

/** For rolldown, about what the compiler has put into `dist`. */
export function chunkGroups() {
  const atOnce = loadedBy(start);
  const run = loadedBy(running).difference(atOnce);
  const ask = loadedBy(asking).difference(atOnce);
  const isCommand = (module) => module.startsWith("dist/cli/");
  return [
    group("run", (module) => run.has(module) && isCommand(module)),
    group("asking", (module) => ask.has(module) && isCommand(module)),
    // The library and pages load them too: nothing in there may need Node, or do anything.
    group("words", (module) => (run.has(module) || ask.has(module)) && !isCommand(module) && isPure(module)),
  ];
}

function group(name, includes) {
  return { name, test: (id) => includes(relative(root, id)) };
}

/** These modules and all that they load at once. */
function loadedBy(modules) {
  const found = new Set();
  const waiting = [...modules];
  for (let module = waiting.pop(); module !== undefined; module = waiting.pop()) {
    if (found.has(module)) continue;
    found.add(module);
    waiting.push(...importsOf(module).filter((path) => path.startsWith("dist/")));
  }
  return found;
}

const isPure = (module) =>
  [...loadedBy([module])].every((one) => importsOf(one).every((path) => path.startsWith("dist/")));

/** Paths from the root, and the names of what is not ours. */
function importsOf(module) {
  const text = readFileSync(join(root, module), "utf8");
  const imports = text.matchAll(/^(?:import|export)\b(?:[^"';]*\bfrom)? ?"([^"]+)";$/gm);
  return [...imports].map(([, path]) => (path.startsWith(".") ? join(dirname(module), path) : path));
}
