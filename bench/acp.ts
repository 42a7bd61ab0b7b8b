/**
 * A scripted ACP agent driven by Reins, compared with a minimal client and with two published ones from npm: acpx and the official SDK.
 * `node bench/run.js acp` installs those two and runs this file isolated.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createReins, type Turn } from "../src/index.ts";
import { interleave, median, milliseconds, rounded } from "./pairs.ts";
import { report } from "./report.ts";
import { agentPath, bareClient } from "./support/bare-acp.mjs";
import { installedCommand } from "./support/installed.ts";
import { acpxClient, acpxProgram, sdkClient } from "./support/peers.ts";
import { spawnSync } from "node:child_process";

const cache = process.env["REINS_AGENT_CACHE"];
if (cache === undefined) throw new Error("REINS_AGENT_CACHE is not set. Use `node bench/run.js acp`.");
const home = mkdtempSync(join(tmpdir(), "reins-bench-"));
const agent = `acp:${process.execPath} ${agentPath}`;
const env = { PATH: process.env["PATH"], HOME: home, REINS_HOME: home };

async function readWhole(turn: Turn): Promise<void> {
  for await (const event of turn) void event;
  const { outcome } = await turn.result;
  if (outcome !== "done") throw new Error(`The turn ended with ${outcome}.`);
}

// Raise the limit so that every update is delivered: by default a message of 20 MB is cut after its first 50 kB.
await using reins = createReins({ env, limits: { messageBytes: 100_000_000 } });
await using session = await reins.session({ agent, cwd: home });
const bare = await bareClient();
const others = { sdk: await sdkClient(cache), acpx: await acpxClient(cache) };
const reinsTurn = (text: string) => () => milliseconds(() => readWhole(session.prompt(text)));
const bareTurn = (text: string) => () => milliseconds(() => bare.turn(text));

async function beside(times: number, text: string): Promise<Record<string, number>> {
  const medians: Record<string, number> = {};
  for (const [name, client] of Object.entries(others)) {
    const took: number[] = [];
    for (let i = -1; i < times; i++) {
      const ms = await milliseconds(() => client.turn(text));
      if (i >= 0) took.push(ms);
    }
    medians[name] = rounded(median(took));
  }
  return medians;
}

for (let i = 0; i < 200; i++) await Promise.all([reinsTurn("hello")(), bareTurn("hello")()]);
const warm = await interleave(200, reinsTurn("hello"), bareTurn("hello"));
const added = rounded(warm.a - warm.b);
console.log(
  JSON.stringify({
    bench: "acp-warm-turn",
    addedMs: added,
    goal: "< 1",
    reins: rounded(warm.a),
    floor: rounded(warm.b),
    beside: await beside(10, "hello"),
    unit: "ms",
    pairs: warm.pairs,
  }),
);

const updates = "flood 100000 200";
const perSecond = (measure: () => Promise<number>) => async () => 100_000 / ((await measure()) / 1_000);
const flood = await interleave(15, perSecond(reinsTurn(updates)), perSecond(bareTurn(updates)));
report("acp-100000-updates", ">= 0.4", "events/s", flood);
const slow = await beside(1, "flood 100000 200");
console.log(
  JSON.stringify({
    bench: "acp-100000-updates-beside",
    ...Object.fromEntries(Object.entries(slow).map(([name, ms]) => [name, rounded(100_000 / (ms / 1_000))])),
    unit: "events/s",
  }),
);
bare.close();
for (const client of Object.values(others)) await client.close();

using command = installedCommand();
const run = (program: string, args: readonly string[]) => () =>
  milliseconds(() => {
    const { status, stderr } = spawnSync(program, args, { env: { ...env, PATH: env.PATH ?? "" }, cwd: home });
    if (status !== 0) throw new Error(`${program} exited with ${status}: ${String(stderr)}`);
  });
const bareShot = run(process.execPath, [join(import.meta.dirname, "support", "bare-acp.mjs"), "hello"]);
const oneShot = await interleave(30, run(process.execPath, [command.path, "run", "-a", agent, "hello"]), bareShot);
report("acp-one-shot", "<= 2", "ms", oneShot);
const acpxArgs = ["--agent", `${process.execPath} ${agentPath}`, "--deny-all", "exec", "hello"];
const acpxShot = await interleave(5, run(acpxProgram(cache), acpxArgs), bareShot);
report("acp-one-shot-acpx", "no goal: beside", "ms", acpxShot);
rmSync(home, { recursive: true, force: true });
process.exit();
