// Gives the same prompt to several agents at the same time, each in its own folder, and prints answers as they come.
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createReins } from "reins";

// In practice: "claude", "codex", "gemini". Here the demo agent and an agent of our own.
const agents = {
  demo: "demo",
  echo: `acp:"${process.execPath}" "${join(import.meta.dirname, "echo-agent.mjs")}"`,
};

const reins = createReins();

async function ask(name: string, agent: string): Promise<string> {
  const turn = reins.run("say Hello", { agent, cwd: await mkdtemp(join(tmpdir(), "reins-")) });
  for await (const event of turn) {
    if (event.type === "message.completed") console.log(`${name}: ${event.text}`);
  }
  const { outcome, durationMs } = await turn.result;
  return `${name}: ${outcome} in ${durationMs} ms`;
}

try {
  const results = await Promise.all(Object.entries(agents).map(([name, agent]) => ask(name, agent)));
  console.log(results.join("\n"));
} finally {
  await reins.close();
}
