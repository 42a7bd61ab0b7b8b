import { statSync } from "node:fs";
import { join } from "node:path";
import { must, root } from "./command.js";
import { filesUnder } from "./files.js";

const timeOf = (file) => statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** `dist` as a whole, the command and the page, where it is missing or older than what it is made from. */
export async function buildWhenStale() {
  const built = Math.min(timeOf("dist/cli.js"), timeOf("dist/web/index.html"));
  const sources = filesUnder("src").filter((file) => !file.endsWith(".test.ts"));
  const newer = [...sources, "vite.config.ts", "package-lock.json"].find((file) => timeOf(file) > built);
  if (newer === undefined) return;
  console.log(built === 0 ? "Building dist ..." : `Building dist again: ${newer} changed ...`);
  await must("node", ["scripts/build.js"]);
}
