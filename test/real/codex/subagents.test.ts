/** Subagents are threads of their own in the same process; they always run beside the conversation. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scenarioPrompt, type Scenario } from "../../../src/testing/index.ts";
import { all, messages, one } from "../support/events.ts";
import { realAgent } from "../support/real-agent.ts";

const spawn = (prompt: string) => ({
  callNative: { name: "spawn_agent", namespace: "multi_agent_v1", input: { message: prompt } },
});

/** Starts a subagent and says so when the test lets it; what the subagent reports until then is answered in the same turn. */
const delegates = (prompt: string): Scenario => ({
  name: "delegates",
  steps: [
    [spawn(prompt)],
    [{ gate: "rested" }, { say: "It runs." }],
    [{ when: "subagent_notification" }, { say: "The subagent has reported." }],
  ],
});

test("what a subagent says and does belongs to the call that started it", async () => {
  const real = await realAgent("codex", {
    scenarios: [delegates("scenario:write:sub.txt Do it.")],
  });
  const full = await real.session({ mode: "full" });
  const running = real.turn(full, scenarioPrompt("delegates"));
  await real.when(full, "task.updated");
  real.model.release("rested");
  const { result, events } = await running;
  const call = all(events, "tool.started").find(({ tool }) => tool === "task")!;
  expect(call).toMatchObject({ nativeName: "spawn_agent", title: "Task: scenario:write:sub.txt Do it." });
  const task = one(events, "task.started");
  expect(task).toMatchObject({ callId: call.callId, kind: "subagent" });
  const inside = events.filter(({ parent }) => parent === call.callId);
  expect(inside.map(({ type }) => type)).toEqual(
    expect.arrayContaining(["tool.started", "tool.completed", "file.changed", "message.completed"]),
  );
  expect(one(events, "task.updated")).toMatchObject({ taskId: task.taskId, status: "completed" });
  expect(messages(events.filter(({ parent }) => parent === undefined))).toEqual([
    "It runs.",
    "The subagent has reported.",
  ]);
  expect(result).toMatchObject({ outcome: "done", filesChanged: ["sub.txt"] });
  expect(result.background).toBeUndefined();
  expect(existsSync(join(real.cwd, "sub.txt"))).toBe(true);
  // Five requests of a hundred tokens: three of its own, two of the subagent's.
  expect(result.usage).toMatchObject({ input: 500, output: 100 });
});

test("one that goes on is in the background, and what it says then is a turn of the agent's", async () => {
  const real = await realAgent("codex");
  const full = await real.session({ mode: "full" });
  const { result } = await real.turn(full, scenarioPrompt("background-subagent"));
  expect(result.background).toHaveLength(1);
  real.model.release("late");
  const { turnId } = await real.when(full, "turn.started", ({ origin }) => origin === "agent");
  expect(await real.when(full, "turn.completed", (end) => end.turnId === turnId)).toMatchObject({ outcome: "done" });
  const aside = real.said(full).filter((event) => event.turnId === turnId);
  expect(all(aside, "message.completed")).toMatchObject([{ text: "Here I am at last.", parent: expect.any(String) }]);
  expect(one(aside, "task.updated")).toMatchObject({ status: "completed", summary: "Here I am at last." });
  // Its model is told with the next prompt.
  await real.turn(full, scenarioPrompt("text"));
  expect(JSON.stringify(real.model.requests.at(-1)?.body)).toContain("subagent_notification");
});

test("what it asks is asked, with whose it is", async () => {
  const real = await realAgent("codex", {
    scenarios: [delegates("scenario:write:sub.txt Do it.")],
  });
  const asks = await real.session({ mode: "ask", onPermission: () => "deny" });
  const running = real.turn(asks, scenarioPrompt("delegates"));
  await real.when(asks, "task.updated");
  real.model.release("rested");
  const { events } = await running;
  const call = all(events, "tool.started").find(({ tool }) => tool === "task")!;
  expect(one(events, "permission.requested")).toMatchObject({ tool: "write", parent: call.callId });
  expect(one(events, "tool.failed")).toMatchObject({ reason: "denied", parent: call.callId });
  expect(existsSync(join(real.cwd, "sub.txt"))).toBe(false);
});

test("a cancel ends it too, in a turn and between two", async () => {
  const real = await realAgent("codex", {
    scenarios: [delegates("scenario:slow-text Talk.")],
  });
  const full = await real.session({ mode: "full" });
  const running = real.turn(full, scenarioPrompt("delegates"));
  await real.when(full, "message.delta", ({ parent }) => parent !== undefined);
  await full.cancel();
  expect((await running).result).toMatchObject({ outcome: "cancelled" });
  expect(await real.when(full, "task.updated")).toMatchObject({ status: "stopped" });
  expect((await real.turn(full, scenarioPrompt("text"))).result.outcome).toBe("done");
});
