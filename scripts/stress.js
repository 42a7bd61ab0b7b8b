/**
 * `npm run test:stress [-- --runs 20] [--load <processes>] [vitest arguments]`: repeats the suite while other processes keep every core
 * busy, to find tests that depend on the speed of the machine.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "./lib/command.js";

/** Uses a core in bursts, so that other processes are interrupted at varying moments. Ends when this script is gone. */
const spin = `const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.exit();
  for (const until = Date.now() + 20 + Math.random() * 200; Date.now() < until;);
}, 5);`;

const rest = process.argv.slice(2);

/** Removes `--name 5` from the arguments and returns the number. */
function number(name, otherwise) {
  const at = rest.indexOf(`--${name}`);
  if (at === -1) return otherwise;
  const [, word] = rest.splice(at, 2);
  if (/^\d+$/.test(word ?? "")) return Number(word);
  console.error(`--${name} needs a number.`);
  process.exit(2);
}

const runs = number("runs", 20);
const load = number("load", availableParallelism() * 2);
const spinners = Array.from({ length: load }, () => spawn(process.execPath, ["-e", spin], { stdio: "ignore" }));

let kept;
let failed = 0;
for (let count = 1; count <= runs; count++) {
  const { ok, output, seconds } = await run("vitest", ["run", ...rest], { quiet: true });
  const name = `run ${count} of ${runs} (${seconds.toFixed(0)} s)`;
  if (ok) {
    console.log(`ok     ${name}`);
    continue;
  }
  failed += 1;
  kept ??= mkdtempSync(join(tmpdir(), "reins-stress-"));
  const file = join(kept, `run-${count}.log`);
  writeFileSync(file, output);
  console.log(`FAILED ${name}: ${file}`);
}
for (const spinner of spinners) {
  const ended = once(spinner, "exit");
  if (spinner.kill("SIGKILL")) await ended;
}
console.log(`${runs - failed} passed, ${failed} failed`);
if (failed > 0) process.exitCode = 1;
