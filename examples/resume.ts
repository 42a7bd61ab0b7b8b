// Closes a session and resumes it from its state, as a later process would.
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createReins } from "reins";

const cwd = await mkdtemp(join(tmpdir(), "reins-"));

async function ask(prompt: string, resume?: string): Promise<string | undefined> {
  const reins = createReins();
  try {
    const { text, state } = await reins.run(prompt, { agent: "demo", cwd, resume }).result;
    console.log(`> ${prompt}\n${text}`);
    return state;
  } finally {
    await reins.close();
  }
}

const state = await ask("say The first turn.");
console.log(`state: ${state}`);
await ask("say The second turn, in the same session.", state);
