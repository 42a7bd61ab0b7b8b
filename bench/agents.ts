/**
 * A warm turn of each real agent through Reins, compared with a minimal client of the same program: started with the same arguments and
 * environment, using the same protocol, every line parsed and nothing else. `node bench/run.js agents [agent ...]` runs it isolated,
 * against the scripted model.
 */
import { agentEntries } from "../src/agents/index.ts";
import { createReins, type Turn } from "../src/index.ts";
import { scenarioPrompt } from "../src/testing/index.ts";
import { withProcesses } from "../src/testing/wire/replay.ts";
import { acpClient } from "./minimal/acp.ts";
import { nativeCallClient, nativeClient } from "./minimal/ai-sdk.ts";
import { codexClient } from "./minimal/app-server.ts";
import { claudeClient } from "./minimal/claude.ts";
import type { Launch, MinimalClient } from "./minimal/client.ts";
import { opencodeClient } from "./minimal/http.ts";
import { qwenClient } from "./minimal/qwen.ts";
import { piClient } from "./minimal/rpc.ts";
import { interleave, milliseconds } from "./pairs.ts";
import { report } from "./report.ts";
import { agentPlace } from "./support/agent-place.ts";

/** Each client uses the mode in which its agent asks before it acts, as Reins does. */
const clients: Readonly<Record<string, (launch: Launch) => Promise<MinimalClient>>> = {
  claude: claudeClient,
  codex: codexClient,
  gemini: (launch) => acpClient(launch, { mode: "default" }),
  qwen: qwenClient,
  opencode: opencodeClient,
  copilot: (launch) =>
    acpClient(launch, {
      mode: "https://agentclientprotocol.com/protocol/session-modes#agent",
      options: { allow_all: "off" },
    }),
  pi: piClient,
};
const all = [...Object.keys(clients), "native"];

/** Programs get faster over their first turns, so both sides warm up equally. */
const firstTurns = 5;
const prompt = scenarioPrompt("text");

async function measure(agent: string): Promise<void> {
  await using place = await agentPlace(agent);
  const { cwd, env } = place;
  let launched: Launch | undefined;
  const entry = withProcesses(
    agentEntries.find(({ id }) => id === agent)!,
    ({ processes }) => ({
      ...processes,
      launch: (spec) => processes.launch((launched = spec)),
    }),
  );
  await using reins = createReins({ env, agents: [entry] });
  await using session = await reins.session({ agent, cwd });
  const minimal = (): Promise<MinimalClient> =>
    clients[agent] === undefined ? nativeClient(reins, { cwd, env }) : clients[agent](launched!);
  const client = await minimal();
  const through = () => milliseconds(() => readWhole(session.prompt(prompt)));
  const bare = () => milliseconds(() => client.turn(prompt));
  for (let turn = 0; turn < firstTurns; turn++) {
    await through();
    await bare();
  }
  // A turn of the in-process agent takes a few milliseconds, and 40 of them vary too much from run to run.
  const pairs = agent === "native" ? 200 : 40;
  report(`${agent}-warm-turn`, "<= 1.10", "ms", await interleave(pairs, through, bare));
  await client.close();

  if (agent === "native") {
    const other = await reins.session({ agent, cwd });
    const one = await nativeCallClient(reins, { cwd, env });
    const again = () => milliseconds(() => readWhole(other.prompt(prompt)));
    const call = () => milliseconds(() => one.turn(prompt));
    report("native-warm-turn-call", "no goal: for information", "ms", await interleave(pairs, again, call));
    await other.close();
  }

  if (agent === "claude") {
    /** Measures until the result, without the time the program takes to exit. */
    const coldReins = async (): Promise<number> => {
      const began = performance.now();
      const one = await reins.session({ agent, cwd });
      await readWhole(one.prompt(prompt));
      const took = performance.now() - began;
      await one.close();
      return took;
    };
    const coldClient = async (): Promise<number> => {
      const began = performance.now();
      const one = await minimal();
      await one.turn(prompt);
      const took = performance.now() - began;
      await one.close();
      return took;
    };
    report(`${agent}-cold-turn`, "no goal: for information", "ms", await interleave(30, coldReins, coldClient));
  }
}

async function readWhole(turn: Turn): Promise<void> {
  for await (const event of turn) void event;
  const { outcome } = await turn.result;
  if (outcome !== "done") throw new Error(`The turn ended with ${outcome}.`);
}

const wanted = process.argv.length > 2 ? process.argv.slice(2) : all;
for (const agent of wanted) {
  try {
    await measure(agent);
  } catch (error) {
    console.error(`${agent}: ${error instanceof Error ? error.stack : String(error)}`);
    process.exitCode = 1;
  }
}
process.exit();
