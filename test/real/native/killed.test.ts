/** kill -9 while a tool runs: no process is left, and the conversation resumes. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { scenarioPrompt } from "../../../src/testing/index.ts";
import { one } from "../support/events.ts";
import { expectNothingLeft } from "../support/left.ts";
import { realAgent } from "../support/real-agent.ts";

test("resumes after kill -9", async () => {
  const real = await realAgent("native");
  const prompt = scenarioPrompt("long-shell", "echo begun; tail -f /dev/null");
  const victim = spawn(process.execPath, [fileURLToPath(new URL("support/victim.ts", import.meta.url)), prompt], {
    cwd: real.cwd,
    env: real.env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [state] = (await once(createInterface({ input: victim.stdout }), "line")) as [string];
  victim.kill("SIGKILL");
  await once(victim, "exit");
  await expectNothingLeft(real.home);

  const session = await real.session({ resume: state });
  const { result } = await real.turn(session, scenarioPrompt("text"));
  expect(result).toMatchObject({ outcome: "done", state });
  expect(one(real.said(session), "session.started")).toMatchObject({ resumed: true });
  const sent = JSON.stringify(real.model.requests.at(-1)?.body);
  expect(sent).toContain("This takes a while.");
  expect(sent).toContain("the agent was ended in the middle of it");
});
