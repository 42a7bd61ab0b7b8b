/** Runs a file of `examples/` as it is, with `reins` resolved to the sources: nothing has to be built or installed. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Place } from "./command.ts";

const execute = promisify(execFile);
const root = new URL("../../", import.meta.url);
const sources = {
  reins: "src/index.ts",
  "reins/client": "src/client/index.ts",
  "reins/package.json": "package.json",
};
const urls = Object.fromEntries(Object.entries(sources).map(([name, path]) => [name, new URL(path, root).href]));
const fromSource = `import { registerHooks } from "node:module";
const urls = ${JSON.stringify(urls)};
registerHooks({ resolve: (name, context, next) => next(urls[name] ?? name, context) });`;

/** Returns what the example printed on stdout. Its temporary folders are below the place. */
export async function runExample(place: Place, name: string): Promise<string> {
  const file = fileURLToPath(new URL(`examples/${name}`, root));
  const args = ["--import", `data:text/javascript,${encodeURIComponent(fromSource)}`, file];
  const { stdout } = await execute(process.execPath, args, {
    cwd: place.cwd,
    env: { ...place.env, TMPDIR: place.cwd },
  });
  return stdout;
}
