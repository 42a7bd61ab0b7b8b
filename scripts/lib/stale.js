import { statSync } from "node:fs";
import { join } from "node:path";
import { root } from "./command.js";
import { filesUnder } from "./files.js";

const timeOf = (file) => statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** A change of these files makes every build stale. */
const always = ["vite.config.ts", "package-lock.json"];

/** Returns one sentence that says why a build is stale, or undefined. `built` are files that must exist, `folders` their sources. */
export function whyStale(what, built, folders) {
  const time = Math.min(...built.map(timeOf));
  if (time === 0) return `Building ${what} ...`;
  const sources = filesUnder(...folders).filter((file) => !file.endsWith(".test.ts"));
  const newer = [...sources, ...always].find((file) => timeOf(file) > time);
  return newer === undefined ? undefined : `Building ${what} again: ${newer} changed ...`;
}
