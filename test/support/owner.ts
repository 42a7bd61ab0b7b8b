/**
 * A Reins process that tests kill: launches the script, prints a line, and waits. `node owner.ts <home> <run> <guardian|alone> <script>
 * <count>`
 */
import { createInterface } from "node:readline";
import { launchSpec, testProcesses } from "./processes.ts";

const [home = "", runId = "", guardian = "", command = "", count = "1"] = process.argv.slice(2);
const processes = testProcesses(home, { runId, guardian: guardian === "guardian" });

async function launch(): Promise<void> {
  const child = await processes.launch(launchSpec({ command, cwd: home }));
  for await (const batch of child.lines) if (batch.lines.includes("ready")) break;
}

for (let i = 0; i < Number(count); i++) await launch();
console.log("ready");
for await (const line of createInterface({ input: process.stdin })) {
  if (line === "launch") await launch();
  if (line === "throw") throw new Error("uncaught on purpose");
  if (line === "exit") process.exit(0);
  if (line === "close") {
    await processes.close();
    // From here on nothing in Reins may keep the process alive.
    process.stdin.destroy();
    break;
  }
  console.log(`did ${line}`);
}
