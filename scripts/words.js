/**
 * `npm run words`: prints every string that a user can see, with its place, one a line.
 * `npm run words -- src/tui` lists one folder, `npm run words -- --kind error` one kind.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "./lib/command.js";
import { filesUnder } from "./lib/files.js";
import { visibleStrings } from "./lib/visible-strings.ts";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { kind: { type: "string" } } });
const folders = positionals.length === 0 ? ["src"] : positionals.map((folder) => folder.replace(/\/$/, ""));
const sources = filesUnder(...folders).filter(
  (file) => /(?<!\.test|\.d)\.tsx?$/.test(file) && !file.includes("/fixtures/"),
);
for (const file of sources)
  for (const { line, kind, text } of visibleStrings(file, readFileSync(join(root, file), "utf8")))
    if (values.kind === undefined || values.kind === kind) console.log(`${file}:${line}  ${kind.padEnd(7)}  ${text}`);
