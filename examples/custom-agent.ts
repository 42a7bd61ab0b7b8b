// Uses an agent that Reins does not know: any program that speaks the Agent Client Protocol, given by its command line.
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createReins } from "reins";

// "acp:" and a command line. Quotes keep paths with spaces together; no shell is involved.
const agent = `acp:"${process.execPath}" "${join(import.meta.dirname, "echo-agent.mjs")}"`;

const reins = createReins();
try {
  const { ready, capabilities } = await reins.agent(agent);
  console.log(`ready: ${ready}, modes: ${capabilities.modes.join(", ")}`);

  const session = await reins.session({ agent, cwd: await mkdtemp(join(tmpdir(), "reins-")) });
  for (const prompt of ["Hello.", "Hello again."]) {
    const { outcome, text } = await session.prompt(prompt).result;
    console.log(`${outcome}: ${text}`);
  }
} finally {
  await reins.close();
}
