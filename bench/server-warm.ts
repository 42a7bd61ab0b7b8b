/**
 * `reins run` through a server that keeps the agent warm, compared with the same command without a server, from start to end: each real
 * agent against the scripted model. `node bench/run.js server-warm [agent ...]` runs it isolated.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { allProofs } from "../src/testing/proofs.ts";
import { scenarioPrompt } from "../src/testing/index.ts";
import { interleave, median, milliseconds } from "./pairs.ts";
import { report } from "./report.ts";
import { agentPlace } from "./support/agent-place.ts";
import { installedCommand } from "./support/installed.ts";

const pairs = 12;
const prompt = scenarioPrompt("text");

async function measure(agent: string, command: string): Promise<void> {
  await using place = await agentPlace(agent);
  const { cwd, env } = place;
  const server = spawn(process.execPath, [command, "serve", "--port", "0", "--verbose"], { cwd, env, stdio: "pipe" });
  let logged = "";
  server.stderr.setEncoding("utf8").on("data", (text: string) => (logged += text));
  await once(server.stdout, "data");

  const run = async (...flags: string[]): Promise<number> => {
    const child = spawn(process.execPath, [command, "run", "-a", agent, ...flags, prompt], {
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
    child.stdout.resume();
    const took = await milliseconds(() => once(child, "close"));
    if (child.exitCode !== 0) throw new Error(`reins run exited with ${child.exitCode}: ${said}`);
    return took;
  };
  try {
    const cold = median([await run("--no-server"), await run("--no-server")]);
    const before = logged.length;
    await run();
    if (logged.length === before) throw new Error("reins run did not use the server.");
    const through = async (): Promise<number> => {
      // Wait for the pool to refill, as it would while a person types the next prompt.
      await new Promise((resolve) => setTimeout(resolve, 2 * cold + 500));
      return run();
    };
    report(`${agent}-run-through-server`, "<= 0.5", "ms", await interleave(pairs, through, () => run("--no-server")));
  } finally {
    server.kill("SIGTERM");
    await once(server, "exit");
  }
}

using command = installedCommand();
/** The agents with an installable program, and the in-process one. */
const all = (await allProofs()).filter(({ id, proof }) => proof.install !== undefined || id === "native");
const wanted = process.argv.length > 2 ? process.argv.slice(2) : all.map(({ id }) => id);
for (const agent of wanted) {
  try {
    await measure(agent, command.path);
  } catch (error) {
    console.error(`${agent}: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
