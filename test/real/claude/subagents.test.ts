/** Subagents and background work: the parent of each event, and the turn it belongs to. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { PermissionReply, PermissionRequest } from "../../../src/core/api.ts";
import { scenarioPrompt, type Scenario } from "../../../src/testing/index.ts";
import { all, one } from "../support/events.ts";
import { realAgent } from "../support/real-agent.ts";

test("gives a subagent's events its call as parent", async () => {
  const real = await realAgent("claude");
  writeFileSync(join(real.cwd, "hello.txt"), "hello there\n");
  const session = await real.session();
  const { result, events } = await real.turn(session, scenarioPrompt("subagent", "scenario:read Read it."));
  const [task, read] = all(events, "tool.started");
  expect(task).toMatchObject({ tool: "task" });
  expect(task!.parent).toBeUndefined();
  expect(read).toMatchObject({ tool: "read", parent: task!.callId });
  const ends = all(events, "tool.completed");
  expect(ends.map((event) => event.callId)).toEqual([read!.callId, task!.callId]);
  expect(ends[1]!.output.text).toContain("It says:");
  const said = all(events, "message.completed");
  expect(said.filter((event) => event.parent === undefined).map((event) => event.text)[0]).toBe("Delegating.");
  expect(said.filter((event) => event.parent === task!.callId).map((event) => event.text)).toContain("I will read it.");
  expect(result).toMatchObject({ outcome: "done", text: expect.stringMatching(/^The subagent said:/) });
  expect(result.background).toBeUndefined();
});

test.each(["allow", "deny"] as const)("asks for a subagent's tool too: %s", async (reply) => {
  const real = await realAgent("claude");
  const requests: PermissionRequest[] = [];
  const onPermission = (request: PermissionRequest): PermissionReply => {
    requests.push(request);
    return reply;
  };
  const { result, events } = await real.turn(
    await real.session({ onPermission }),
    scenarioPrompt("subagent-permission"),
  );
  const task = all(events, "tool.started").find((event) => event.tool === "task")!;
  expect(requests).toMatchObject([{ tool: "shell", title: "Run touch sub.txt", parent: task.callId }]);
  expect(existsSync(join(real.cwd, "sub.txt"))).toBe(reply === "allow");
  expect(all(events, "tool.failed").map((event) => event.reason)).toEqual(reply === "allow" ? [] : ["denied"]);
  expect(result.outcome).toBe("done");
});

test("reports a background subagent in a separate turn", async () => {
  const real = await realAgent("claude");
  const session = await real.session();
  const { result, events } = await real.turn(session, scenarioPrompt("background-subagent"));
  expect(result).toMatchObject({ outcome: "done", text: "It runs in the background." });
  const task = one(events, "task.started");
  expect(task).toMatchObject({ kind: "subagent", callId: one(events, "tool.started").callId });
  expect(result.background).toEqual([task.taskId]);
  await real.model.reached("late");
  real.model.release("late");
  const second = await real.when(session, "turn.completed", (event) => event.turnId !== result.turnId);
  expect(second).toMatchObject({ outcome: "done", text: "The subagent has reported." });
  expect(second.background).toBeUndefined();
  const [first, own] = all(real.said(session), "turn.started");
  expect(first).toMatchObject({ origin: "prompt" });
  expect(own).toMatchObject({ origin: "agent", cause: task.taskId, turnId: second.turnId });
  expect(all(real.said(session), "task.updated").at(-1)).toMatchObject({ taskId: task.taskId, status: "completed" });
  expect((await real.turn(session, scenarioPrompt("text"))).result.text).toBe("Hello from the scripted model.");
});

test("reports the end of a background command in a separate turn", async () => {
  const real = await realAgent("claude");
  const session = await real.session({ mode: "full" });
  const wait = "until [ -e go ]; do sleep 0.05; done; echo finished";
  const { result, events } = await real.turn(session, scenarioPrompt("background-shell", wait));
  const task = one(events, "task.started");
  expect(task).toMatchObject({ kind: "shell", callId: one(events, "tool.started").callId });
  expect(result).toMatchObject({ text: "It runs in the background.", background: [task.taskId] });
  writeFileSync(join(real.cwd, "go"), "");
  const second = await real.when(session, "turn.completed", (event) => event.turnId !== result.turnId);
  expect(second).toMatchObject({ outcome: "done", text: "The command has ended." });
  expect(all(real.said(session), "turn.started")[1]).toMatchObject({ origin: "agent", cause: task.taskId });
});

test("accepts a prompt while a subagent works in the background", async () => {
  const real = await realAgent("claude");
  const session = await real.session();
  const { result } = await real.turn(session, scenarioPrompt("background-subagent"));
  await real.model.reached("late");
  const between = await real.turn(session, scenarioPrompt("text"));
  expect(between.result).toMatchObject({ text: "Hello from the scripted model.", background: result.background });
  real.model.release("late");
  const known = [result.turnId, between.result.turnId];
  const report = await real.when(session, "turn.completed", (event) => !known.includes(event.turnId));
  expect(report.outcome).toBe("done");
});

/** A subagent that reads and then waits, after the turn that started it has ended: its output is a separate turn. */
const readsThenWaits: Scenario = {
  name: "read-then-wait",
  steps: [
    [{ gate: "begin" }, { say: "First I look." }, { call: { tool: "read", path: "hello.txt" } }],
    [{ say: "Now I wait." }, { gate: "waiting" }, { say: "Done at last." }],
  ],
};

async function withBusySubagent() {
  const real = await realAgent("claude", { scenarios: [readsThenWaits] });
  writeFileSync(join(real.cwd, "hello.txt"), "hello there\n");
  const session = await real.session();
  const { result } = await real.turn(
    session,
    scenarioPrompt("background-subagent", "scenario:read-then-wait Look at it."),
  );
  real.model.release("begin");
  await real.model.reached("waiting");
  // The model's output may still be in transit.
  await real.when(session, "turn.started", ({ origin }) => origin === "agent");
  return { real, session, first: result };
}

test("accepts a prompt after a background subagent has sent text", async () => {
  const { real, session, first } = await withBusySubagent();
  const { result } = await real.turn(session, scenarioPrompt("text"));
  expect(result).toMatchObject({ text: "Hello from the scripted model.", background: first.background });
  real.model.release("waiting");
  const report = await real.when(session, "turn.completed", (event) => event.seq > result.seq);
  expect(report).toMatchObject({ outcome: "done" });
  expect(report.background).toBeUndefined();
});

test("cancels a background subagent, and the process continues", async () => {
  const { real, session, first } = await withBusySubagent();
  await session.cancel();
  const said = real.said(session);
  const stopped = await real.when(session, "task.updated", (event) => event.status === "stopped");
  expect([stopped.taskId]).toEqual(first.background);
  expect((await real.turn(session, scenarioPrompt("text"))).result.outcome).toBe("done");
  expect(all(said, "process.exited")).toEqual([]);
  real.model.release("waiting");
});

test("keeps asking a background subagent's request when the turn that started it ends", async () => {
  const asksLater: Scenario = {
    name: "asks-beyond",
    steps: [
      [{ call: { tool: "task", prompt: "scenario:shell:touch%20sub.txt Do it.", background: true } }],
      [{ gate: "asked" }, { say: "It runs." }],
      [{ when: "task-notification" }, { say: "The subagent has reported." }],
    ],
  };
  const real = await realAgent("claude", { scenarios: [asksLater] });
  const session = await real.session({ attended: true });
  const turn = session.prompt(scenarioPrompt("asks-beyond"));
  const first = await real.when(session, "permission.requested");
  real.model.release("asked");
  const { seq } = await turn.result;
  const again = await real.when(session, "permission.requested", (event) => event.seq > seq);
  expect(again).toMatchObject({ title: first.title, parent: first.parent });
  expect(() => session.answer(first.requestId, "allow")).toThrow("settled already");
  session.answer(again.requestId, "allow");
  const report = await real.when(session, "turn.completed", (event) => event.seq > seq);
  expect(report).toMatchObject({ outcome: "done", text: "The subagent has reported." });
  expect(existsSync(join(real.cwd, "sub.txt"))).toBe(true);
});

test.each(["done", "cancelled"])(
  "accepts a prompt when the agent has started its report and sent nothing yet: %s",
  async (outcome) => {
    const reportsLate: Scenario = {
      name: "reports-late",
      steps: [
        [{ call: { tool: "shell", command: "until [ -e go ]; do sleep 0.05; done", background: true } }],
        [{ say: "It runs." }],
        [{ when: "task-notification" }, { gate: "report" }, { say: "It has ended." }],
      ],
    };
    const real = await realAgent("claude", { scenarios: [reportsLate] });
    const session = await real.session({ mode: "full" });
    await real.turn(session, scenarioPrompt("reports-late"));
    writeFileSync(join(real.cwd, "go"), "");
    await real.model.reached("report");
    const turn = session.prompt(scenarioPrompt("text"));
    if (outcome === "cancelled") await turn.cancel();
    real.model.release("report");
    expect((await turn.result).outcome).toBe(outcome);
    const next = await real.turn(session, scenarioPrompt("text"));
    expect(next.result).toMatchObject({ outcome: "done", text: "Hello from the scripted model." });
  },
);

test("closes without waiting for background work", async () => {
  const real = await realAgent("claude");
  const session = await real.session({ mode: "full" });
  const { result } = await real.turn(session, scenarioPrompt("background-shell", "tail -f /dev/null"));
  expect(result.background).toHaveLength(1);
  await session.close();
  // The process exited by itself: after SIGTERM its code is 143.
  expect((await real.when(session, "process.exited")).code).toBe(0);
});
