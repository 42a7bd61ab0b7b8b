/** Before `npm start`: the page is built where it is missing, or older than what it is made from. A clone runs the rest as it stands. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { must, root } from "./lib/command.js";
import { filesUnder } from "./lib/files.js";

const sources = ["src/web", "src/view", "src/events"];
const single = ["vite.config.ts", "package-lock.json"];

const timeOf = (file) => statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
const built = timeOf("dist/web/index.html");
const newer = [...filesUnder(...sources), ...single].filter((file) => timeOf(file) > built);

if (newer.length > 0) {
  const began = performance.now();
  console.error(built === 0 ? "Building the page ..." : `Building the page again: ${newer[0]} changed ...`);
  await must("vite", ["build", "--logLevel", "warn"]);
  console.error(`Built in ${((performance.now() - began) / 1000).toFixed(1)} s.`);
}
