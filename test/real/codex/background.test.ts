/** A command that its model does not wait for goes on beside the conversation. */
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

test("it is in the background until it ends, which wakes nobody", async () => {
  const { session, turn, when } = await realAgent("codex", { scenarios: [leaves] });
  const full = await session({ mode: "full" });
  const { result, events } = await turn(full, scenarioPrompt("leaves"));
  const { taskId, callId } = one(events, "task.started");
  expect(one(events, "tool.completed")).toMatchObject({ callId, output: { text: "It runs in the background." } });
  expect(result).toMatchObject({ outcome: "done", background: [taskId] });
  await turn(full, scenarioPrompt("write", "go"));
  expect(await when(full, "task.updated")).toMatchObject({ taskId, status: "completed", summary: "it went" });
  expect((await turn(full, scenarioPrompt("text"))).result.background).toBeUndefined();
});

test("a cancel ends it with the turn", async () => {
  const { session, turn, when, model } = await realAgent("codex", { scenarios: [leaves] });
  const full = await session({ mode: "full" });
  await turn(full, scenarioPrompt("leaves"));
  const running = turn(full, scenarioPrompt("slow-text"));
  await model.reached("slow");
  await full.cancel();
  expect((await running).result).toMatchObject({ outcome: "cancelled" });
  expect(await when(full, "task.updated")).toMatchObject({ status: "stopped" });
});
