/** Starting the built command, compared with starting Node. `node bench/start.ts` builds the package and prints one JSON line each. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { interleave, milliseconds } from "./pairs.ts";
import { report } from "./report.ts";
import { installedCommand } from "./support/installed.ts";

using command = installedCommand();
const run = (...args: string[]) => milliseconds(() => execFileSync(process.execPath, args, { stdio: "ignore" }));
const home = mkdtempSync(join(tmpdir(), "reins-bench-"));
process.env["REINS_HOME"] = home;
for (const [name, goal, ...args] of [
  ["start--version", "<= 1.3", "--version"],
  ["start--help", "<= 2.5", "--help"],
  // Loads everything a prompt needs, without the time of a real agent.
  ["start-prompt", "<= 5", "run", "--no-server", "--no-store", "-a", "demo", "say hi"],
] as const) {
  const pairs = await interleave(
    40,
    () => run(command.path, ...args),
    () => run("-e", "0"),
  );
  report(name, goal, "ms", pairs);
}
rmSync(home, { recursive: true, force: true });
