import { statSync } from "node:fs";
import { join } from "node:path";
import { root } from "./command.js";
import { filesUnder } from "./files.js";

const timeOf = (file) => statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** What is made by the build and by nothing else changes with these too. */
const always = ["vite.config.ts", "package-lock.json"];

/**
 * Why what was built has to be built again: one sentence, or nothing. `built` are files that must be there, `folders` what they are made from.
 */
export function whyStale(what, built, folders) {
  const time = Math.min(...built.map(timeOf));
  if (time === 0) return `Building ${what} ...`;
  const sources = filesUnder(...folders).filter((file) => !file.endsWith(".test.ts"));
  const newer = [...sources, ...always].find((file) => timeOf(file) > time);
  return newer === undefined ? undefined : `Building ${what} again: ${newer} changed ...`;
}
