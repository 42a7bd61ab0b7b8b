/**
 * The overhead Reins adds to a turn for which it starts a process: the Cursor stand-in through Reins, compared with the same program
 * started directly with the same arguments and environment, its lines parsed until the result. `node bench/cursor-spawn.ts` prints one JSON
 * line.
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { agentEntries } from "../src/agents/index.ts";
import { variableOf } from "../src/agents/variable.ts";
import { createReins } from "../src/index.ts";
import type { LaunchSpec } from "../src/process/types.ts";
import { proofOf, scenarioPrompt, startScriptedModel } from "../src/testing/index.ts";
import { cursorStandIn } from "../test/stand-ins/cursor/stand-in.ts";
import { withProcesses } from "../src/testing/wire/replay.ts";
import { createWorkspace } from "../test/real/support/workspace.ts";
import { interleave, milliseconds, percentile, rounded } from "./pairs.ts";

const agent = "cursor";
const pairs = 40;
const prompt = scenarioPrompt("text");

using workspace = createWorkspace();
const { cwd } = workspace;
const proof = await proofOf(agent);
await using model = await startScriptedModel({ proof, cwd });
const env = {
  ...workspace.env,
  ...proof.env(model.url),
  [variableOf(agent, "COMMAND")]: cursorStandIn(),
  [variableOf(agent, "CHANNEL")]: "print",
  // `bench/hooks.ts` measures the hooks separately.
  [variableOf(agent, "HOOKS")]: "off",
};

let launched: LaunchSpec | undefined;
const entry = withProcesses(
  agentEntries.find(({ id }) => id === agent)!,
  ({ processes }) => ({
    ...processes,
    launch: (spec) => processes.launch((launched = spec)),
  }),
);
await using reins = createReins({ env, agents: [entry] });

/** Uses a new conversation for every turn, so that all turns have the same length. */
async function through(): Promise<number> {
  await using session = await reins.session({ agent, cwd, mode: "full" });
  return await milliseconds(async () => {
    const { outcome } = await session.prompt(prompt).result;
    if (outcome !== "done") throw new Error(`The turn ended with ${outcome}.`);
  });
}

function bare(): Promise<number> {
  const { command, args, env: environment } = launched!;
  return milliseconds(async () => {
    const child = spawn(command, args, { cwd, env: environment, stdio: ["pipe", "pipe", "ignore"] });
    child.stdin.end(prompt);
    for await (const line of createInterface(child.stdout)) {
      const { type } = JSON.parse(line) as { type?: string };
      if (type === "result") return;
    }
    throw new Error("The stand-in exited without a result.");
  });
}

await through();
const samples: Record<"reins" | "floor", number[]> = { reins: [], floor: [] };
const kept = async (name: "reins" | "floor", measured: Promise<number>): Promise<number> => {
  const took = await measured;
  samples[name].push(took);
  return took;
};
const { a, b } = await interleave(
  pairs,
  () => kept("reins", through()),
  () => kept("floor", bare()),
);
const [reinsP95, floorP95] = [percentile(samples.reins, 95), percentile(samples.floor, 95)];
console.log(
  JSON.stringify({
    bench: "cursor-spawn",
    overheadP95: rounded(reinsP95 - floorP95),
    goal: "< 30",
    overheadMedian: rounded(a - b),
    reinsP95: rounded(reinsP95),
    floorP95: rounded(floorP95),
    unit: "ms",
    pairs,
  }),
);
process.exit();
