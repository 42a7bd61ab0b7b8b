import type { Command } from "commander";
import { untilEnding } from "./ending.ts";

/** The help of `run` and, with an agent, what that agent's prompts may say. */
export async function showHelp(command: Command, agent: string | undefined, ending: AbortSignal): Promise<void> {
  command.outputHelp();
  if (agent === undefined) return;
  const { createReins } = await import("../core/reins.ts");
  await using reins = createReins();
  const { name, promptHelp } = await untilEnding(ending, reins.agent(agent));
  if (promptHelp !== undefined) process.stdout.write(`\nPrompts of ${name}:\n\n${promptHelp.trimEnd()}\n`);
}
