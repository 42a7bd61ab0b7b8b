/** Starting the built command, against starting Node. `node bench/start.ts` builds the package and prints one JSON line each. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { interleave, milliseconds } from "./pairs.ts";
import { report } from "./report.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
execFileSync(process.execPath, [join(root, "scripts", "build.js")], { stdio: ["ignore", "ignore", "inherit"] });

// As it is installed: without the sources beside it, which a clone would run instead.
const installed = mkdtempSync(join(tmpdir(), "reins-bench-"));
for (const part of ["bin", "dist", "package.json"])
  cpSync(join(root, part), join(installed, part), { recursive: true });
symlinkSync(join(root, "node_modules"), join(installed, "node_modules"));

const run = (...args: string[]) => milliseconds(() => execFileSync(process.execPath, args, { stdio: "ignore" }));
const command = join(installed, "bin", "reins.js");
try {
  for (const [flag, goal] of [
    ["--version", "<= 1.3"],
    ["--help", "<= 2.5"],
  ] as const) {
    report(
      `start${flag}`,
      goal,
      "ms",
      await interleave(
        40,
        () => run(command, flag),
        () => run("-e", "0"),
      ),
    );
  }
} finally {
  rmSync(installed, { recursive: true, force: true });
}
