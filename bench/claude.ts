/**
 * Turns of the real Claude Code through Reins, against a minimal client of the same program: the same flags, lines split and
 * parsed, nothing else. Cold is a process for the turn, warm is a turn in a running one. It runs isolated, against the scripted
 * model; `node bench/run.js claude` takes care of that.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { createReins } from "../src/index.ts";
import { proofOf, scenarioPrompt, startScriptedModel } from "../src/testing/index.ts";
import { programOf } from "../test/real/support/program.ts";
import { createWorkspace } from "../test/real/support/workspace.ts";
import { interleave, milliseconds } from "./pairs.ts";
import { report } from "./report.ts";

const agent = "claude";
const proof = await proofOf(agent);
using workspace = createWorkspace();
const { cwd } = workspace;
const model = await startScriptedModel({ proof, cwd });
const program = programOf(proof);
const env = { ...workspace.env, ...proof.env(model.url), REINS_CLAUDE_COMMAND: program };
const prompt = scenarioPrompt("text");

const flags =
  "-p --input-format stream-json --output-format stream-json --verbose --include-partial-messages --permission-prompt-tool stdio";
function minimalClient() {
  // In a group of its own, as any client must start it that wants to end all of it; Linux shares the processor out by such groups.
  const child = spawn(program, flags.split(" "), { cwd, env, stdio: ["pipe", "pipe", "ignore"], detached: true });
  let onResult = (): void => {};
  createInterface({ input: child.stdout }).on("line", (line) => {
    if ((JSON.parse(line) as { type: string }).type === "result") onResult();
  });
  return {
    async turn(): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      onResult = resolve;
      child.stdin.write(`${JSON.stringify({ type: "user", message: { role: "user", content: prompt } })}\n`);
      await promise;
    },
    async close(): Promise<void> {
      child.stdin.end();
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}

async function checked(turn: AsyncIterable<unknown> & { result: Promise<{ outcome: string }> }): Promise<void> {
  for await (const event of turn) void event;
  const { outcome } = await turn.result;
  if (outcome !== "done") throw new Error(`The turn ended as ${outcome}.`);
}

await using reins = createReins({ env });
await using session = await reins.session({ agent, cwd });
const client = minimalClient();
// Programs get faster over their first turns; both start from the same place.
for (let i = 0; i < 5; i++) {
  await checked(session.prompt(prompt));
  await client.turn();
}
const warm = await interleave(
  60,
  () => milliseconds(() => checked(session.prompt(prompt))),
  () => milliseconds(() => client.turn()),
);
report("claude-warm-turn", "<= 1.10", "ms", warm);
await client.close();

/** Until the result; how long the program takes to end is its own affair. */
async function coldReins(): Promise<number> {
  const began = performance.now();
  const one = await reins.session({ agent, cwd });
  await checked(one.prompt(prompt));
  const took = performance.now() - began;
  await one.close();
  return took;
}

async function coldClient(): Promise<number> {
  const one = minimalClient();
  const took = await milliseconds(() => one.turn());
  await one.close();
  return took;
}

const cold = await interleave(30, coldReins, coldClient);
report("claude-cold-turn", "no goal: for information", "ms", cold);
await model.close();
