/**
 * `reins doctor` with every pinned agent installed: the time until its first table is printed, and how much longer that is than one start
 * of Node. Runs isolated: use `node bench/run.js doctor`.
 */
import { spawn } from "node:child_process";
import { delimiter, dirname } from "node:path";
import { allProofs } from "../src/testing/proofs.ts";
import { programOf } from "../test/real/support/program.ts";
import { createWorkspace } from "../test/real/support/workspace.ts";
import { median, rounded } from "./pairs.ts";
import { installedCommand } from "./support/installed.ts";

using workspace = createWorkspace();
using command = installedCommand();
const programs = (await allProofs()).flatMap(({ proof }) => (proof.install === undefined ? [] : [programOf(proof)]));
const env = { ...workspace.env, PATH: [...programs.map(dirname), workspace.env["PATH"]].join(delimiter) };

/** Milliseconds until the table of agents is printed in full. The table comes first and the models follow. */
async function untilTable(): Promise<{ table: number; whole: number }> {
  const began = performance.now();
  const child = spawn(process.execPath, [command.path, "doctor"], {
    env,
    cwd: workspace.cwd,
    stdio: ["ignore", "pipe", "ignore"],
  });
  let table: number | undefined;
  for await (const _chunk of child.stdout) table ??= performance.now() - began;
  return { table: table ?? Number.NaN, whole: performance.now() - began };
}

const times: { table: number; whole: number }[] = [];
await untilTable();
for (let i = 0; i < 10; i++) times.push(await untilTable());
console.log(
  JSON.stringify({
    bench: "doctor",
    tableMs: rounded(median(times.map(({ table }) => table))),
    goal: "< 3000",
    withModelsMs: rounded(median(times.map(({ whole }) => whole))),
    agents: programs.length,
    times: times.length,
  }),
);
