/** A command that the model does not wait for keeps running beside the conversation. */
import { expect, test } from "vitest";
import { scenarioPrompt, type Scenario } from "../../../src/testing/index.ts";
import { one } from "../support/events.ts";
import { realAgent } from "../support/real-agent.ts";

const leaves: Scenario = {
  name: "leaves",
  steps: [
    [{ call: { tool: "shell", command: "until test -e go; do sleep 0.05; done; echo it went", background: true } }],
    [{ say: "It runs." }],
  ],
};

test("runs in the background until it ends, which starts no turn", async () => {
  const real = await realAgent("codex", { scenarios: [leaves] });
  const full = await real.session({ mode: "full" });
  const { result, events } = await real.turn(full, scenarioPrompt("leaves"));
  const { taskId, callId } = one(events, "task.started");
  expect(one(events, "tool.completed")).toMatchObject({ callId, output: { text: "It runs in the background." } });
  expect(result).toMatchObject({ outcome: "done", background: [taskId] });
  await real.turn(full, scenarioPrompt("write", "go"));
  expect(await real.when(full, "task.updated")).toMatchObject({ taskId, status: "completed", summary: "it went" });
  expect((await real.turn(full, scenarioPrompt("text"))).result.background).toBeUndefined();
});

test("ends with the turn on a cancel", async () => {
  const real = await realAgent("codex", { scenarios: [leaves] });
  const full = await real.session({ mode: "full" });
  await real.turn(full, scenarioPrompt("leaves"));
  const running = real.turn(full, scenarioPrompt("slow-text"));
  await real.model.reached("slow");
  await full.cancel();
  expect((await running).result).toMatchObject({ outcome: "cancelled" });
  expect(await real.when(full, "task.updated")).toMatchObject({ status: "stopped" });
});
