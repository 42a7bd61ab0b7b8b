/** The contract, on the agent that needs nothing. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createReins } from "../../src/index.ts";
import type { Stage } from "./stage.ts";
import { contract } from "./suite.ts";

const agent = "demo";

async function open(): Promise<Stage> {
  const home = mkdtempSync(join(tmpdir(), "reins-contract-"));
  const reins = createReins({ guardian: false, env: { PATH: process.env["PATH"], HOME: home, REINS_HOME: home } });
  onTestFinished(async () => {
    await reins.close();
    rmSync(home, { recursive: true, force: true });
  });
  return {
    agent,
    reins,
    cwd: mkdtempSync(join(home, "work-")),
    prompts: {
      text: "stream 20",
      think: "think hard about it; say done",
      write: (file) => `write ${file} hello`,
      endless: "say wait; sleep 1000000",
      question: "ask why?",
      plan: "plan",
      subagent: 'subagent "list; say found"',
      background: "background 200",
    },
    endBackground: () => {},
  };
}

await using reins = createReins({ guardian: false, env: {} });
const { capabilities } = await reins.agent(agent);
contract(capabilities, open);
