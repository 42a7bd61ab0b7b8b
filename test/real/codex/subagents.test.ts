/** Subagents are separate threads in the same process; they always run beside the conversation. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scenarioPrompt, type Scenario } from "../../../src/testing/index.ts";
import { all, messages, one } from "../support/events.ts";
import { realAgent } from "../support/real-agent.ts";

const spawn = (prompt: string) => ({
  callNative: { name: "spawn_agent", namespace: "multi_agent_v1", input: { message: prompt } },
});

/** Starts a subagent and answers when the test releases it; reports of the subagent until then belong to the same turn. */
const delegates = (prompt: string): Scenario => ({
  name: "delegates",
  steps: [
    [spawn(prompt)],
    [{ gate: "rested" }, { say: "It runs." }],
    [{ when: "subagent_notification" }, { say: "The subagent has reported." }],
  ],
});

test("assigns a subagent's events to the call that started it", async () => {
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
  // Five requests of a hundred tokens: three by the agent, two by the subagent.
  expect(result.usage).toMatchObject({ input: 500, output: 100 });
});

test("moves a subagent that continues to the background, and its text is a turn of the agent", async () => {
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
  // The model is told with the next prompt.
  await real.turn(full, scenarioPrompt("text"));
  expect(JSON.stringify(real.model.requests.at(-1)?.body)).toContain("subagent_notification");
});

test("asks for a subagent's request and says whose it is", async () => {
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

test("ends a subagent on a cancel, during a turn and between two", async () => {
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
