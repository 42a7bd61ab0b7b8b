/** Makes `dist` from `src`: compiled, and with the files that are not TypeScript beside it. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { must, root } from "./lib/command.js";
import { documented, fieldComments } from "./lib/document-types.js";
import { filesUnder } from "./lib/files.js";

rmSync(join(root, "dist"), { recursive: true, force: true });
await must("tsc", ["-p", "tsconfig.build.json"]);

for (const file of filesUnder("src")) {
  if (file.endsWith(".ts") || file.includes("/fixtures/")) continue;
  const target = join(root, file.replace(/^src/, "dist"));
  mkdirSync(dirname(target), { recursive: true });
  cpSync(join(root, file), target);
}

const schemas = filesUnder("src/events/schema").filter((file) => !file.endsWith(".test.ts"));
const comments = fieldComments(schemas.map((file) => readFileSync(join(root, file), "utf8")));
for (const file of schemas) {
  const declarations = join(root, file.replace(/^src/, "dist").replace(/\.ts$/, ".d.ts"));
  writeFileSync(declarations, documented(readFileSync(declarations, "utf8"), comments));
}
