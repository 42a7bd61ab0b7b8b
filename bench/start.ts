/** Starting the built command, against starting Node. `node bench/start.ts` builds the package and prints one JSON line each. */
import { execFileSync } from "node:child_process";
import { interleave, milliseconds } from "./pairs.ts";
import { report } from "./report.ts";
import { installedCommand } from "./support/installed.ts";

using command = installedCommand();
const run = (...args: string[]) => milliseconds(() => execFileSync(process.execPath, args, { stdio: "ignore" }));
for (const [flag, goal] of [
  ["--version", "<= 1.3"],
  ["--help", "<= 2.5"],
] as const) {
  const pairs = await interleave(
    40,
    () => run(command.path, flag),
    () => run("-e", "0"),
  );
  report(`start${flag}`, goal, "ms", pairs);
}
