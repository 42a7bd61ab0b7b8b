/** The contract, on every agent that can be pointed at a scripted model. */
import { describe } from "vitest";
import { createReins } from "../../src/index.ts";
import { scenarioPrompt } from "../../src/testing/index.ts";
import { allProofs } from "../../src/testing/proofs.ts";
import type { Stage } from "../contract/stage.ts";
import { contract } from "../contract/suite.ts";
import { realAgent } from "./support/real-agent.ts";

async function open(agent: string): Promise<Stage> {
  const { reins, cwd, model } = await realAgent(agent);
  return {
    agent,
    reins,
    cwd,
    prompts: {
      text: scenarioPrompt("deltas"),
      think: scenarioPrompt("thinking"),
      write: (file) => scenarioPrompt("write", file),
      endless: scenarioPrompt("slow-text"),
      question: scenarioPrompt("question"),
      plan: scenarioPrompt("plan"),
      subagent: scenarioPrompt("subagent"),
      background: scenarioPrompt("background-subagent"),
    },
    endBackground: () => model.release("late"),
  };
}

await using reins = createReins({ guardian: false });
for (const { id } of await allProofs()) {
  const { capabilities } = await reins.agent(id);
  describe(`the contract of ${id}`, () => {
    contract(capabilities, () => open(id));
  });
}
