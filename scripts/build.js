/** Makes `dist` from `src`: compiled, and with the files that are not TypeScript beside it. */
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { must, root } from "./lib/command.js";
import { filesUnder } from "./lib/files.js";

rmSync(join(root, "dist"), { recursive: true, force: true });
await must("tsc", ["-p", "tsconfig.build.json"]);

for (const file of filesUnder("src")) {
  if (file.endsWith(".ts") || file.includes("/fixtures/")) continue;
  const target = join(root, file.replace(/^src/, "dist"));
  mkdirSync(dirname(target), { recursive: true });
  cpSync(join(root, file), target);
}
