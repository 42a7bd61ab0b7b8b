/** A cancel works at any moment, and the session stays usable. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Session } from "../../../src/core/api.ts";
import { scenarioPrompt } from "../../../src/testing/index.ts";
import { all, one, whole } from "../support/events.ts";
import { expectNone } from "../support/left.ts";
import { realAgent, type RealAgent } from "../support/real-agent.ts";
import { agentPid, isLongShell, longShellRuns } from "./support/processes.ts";

async function expectUsable(real: RealAgent, session: Session): Promise<void> {
  const before = agentPid(real.home);
  const { result } = await real.turn(session, scenarioPrompt("text"));
  expect(result).toMatchObject({ outcome: "done", text: "Hello from the scripted model." });
  expect(agentPid(real.home)).toEqual(before);
}

test("keeps the text so far when cancelled while text streams", async () => {
  const real = await realAgent("claude");
  const session = await real.session();
  const turn = session.prompt(scenarioPrompt("slow-text"));
  await real.when(session, "message.delta");
  await turn.cancel();
  const { result, events } = await whole(turn);
  const pieces = all(events, "message.delta").map((event) => event.text);
  expect(result).toMatchObject({ outcome: "cancelled", text: pieces.join("") });
  expect("The first half, ").toContain(result.text);
  expect(result.error).toBeUndefined();
  await expectUsable(real, session);
});

test("cancels before the model answers", async () => {
  const real = await realAgent("claude");
  const session = await real.session();
  const turn = session.prompt(scenarioPrompt("late-text"));
  await real.model.reached("late");
  await session.cancel();
  expect(await turn.result).toMatchObject({ outcome: "cancelled", text: "" });
  await expectUsable(real, session);
});

test("cancels right after the prompt", async () => {
  const real = await realAgent("claude");
  const session = await real.session();
  const turn = session.prompt(scenarioPrompt("late-text"));
  await turn.cancel();
  expect((await turn.result).outcome).toBe("cancelled");
  await expectUsable(real, session);
});

test("ends the processes of a tool when cancelled while it runs", async () => {
  const real = await realAgent("claude");
  const session = await real.session({ mode: "full" });
  const command = "touch started; tail -f /dev/null & tail -f /dev/null";
  const turn = session.prompt(scenarioPrompt("long-shell", command));
  await real.when(session, "tool.started");
  await longShellRuns(real.home, 2);
  await turn.cancel();
  const { result, events } = await whole(turn);
  expect(result.outcome).toBe("cancelled");
  expect(one(events, "tool.failed")).toMatchObject({ reason: "cancelled" });
  await expectNone(real.home, isLongShell);
  expect(existsSync(join(real.cwd, "started"))).toBe(true);
  await expectUsable(real, session);
});

test("runs nothing and settles the request when cancelled at a permission", async () => {
  const real = await realAgent("claude");
  const withdrawn = Promise.withResolvers<void>();
  const onPermission = (_: unknown, signal: AbortSignal) =>
    new Promise<"allow">((resolve) => {
      signal.addEventListener("abort", () => {
        withdrawn.resolve();
        resolve("allow");
      });
    });
  const session = await real.session({ onPermission });
  const turn = session.prompt(scenarioPrompt("write", "no.txt"));
  await real.when(session, "permission.requested");
  await turn.cancel();
  await withdrawn.promise;
  const { result, events } = await whole(turn);
  expect(result.outcome).toBe("cancelled");
  expect(one(events, "permission.resolved")).toMatchObject({ outcome: "cancelled", by: "cancel" });
  expect(one(events, "tool.failed")).toMatchObject({ reason: "cancelled" });
  expect(existsSync(join(real.cwd, "no.txt"))).toBe(false);
  await expectUsable(real, session);
});

test("cancels at a question", async () => {
  const real = await realAgent("claude");
  const session = await real.session({ attended: true });
  const turn = session.prompt(scenarioPrompt("question"));
  await real.when(session, "question.requested");
  await turn.cancel();
  const { result, events } = await whole(turn);
  expect(result.outcome).toBe("cancelled");
  expect(one(events, "question.resolved")).toMatchObject({ outcome: "cancelled", by: "cancel" });
  await expectUsable(real, session);
});

test("cancels in a subagent, and in one that waits for a permission", async () => {
  const real = await realAgent("claude");
  const session = await real.session({ attended: true });
  const first = session.prompt(scenarioPrompt("subagent", "scenario:slow-text Say it."));
  await real.model.reached("slow");
  await first.cancel();
  expect((await first.result).outcome).toBe("cancelled");
  const second = session.prompt(scenarioPrompt("subagent-permission"));
  await real.when(session, "permission.requested");
  await second.cancel();
  expect((await second.result).outcome).toBe("cancelled");
  expect(existsSync(join(real.cwd, "sub.txt"))).toBe(false);
  await expectUsable(real, session);
});

test("cancels while the agent retries", async () => {
  const real = await realAgent("claude");
  const session = await real.session();
  const turn = session.prompt(scenarioPrompt("error-429"));
  await real.when(session, "agent.retrying");
  await turn.cancel();
  expect((await turn.result).outcome).toBe("cancelled");
  await expectUsable(real, session);
});

test("cancels a turn whose connection went silent", async () => {
  const real = await realAgent("claude");
  const session = await real.session();
  const turn = session.prompt(scenarioPrompt("hang-midway"));
  await real.when(session, "message.delta");
  await turn.cancel();
  expect((await turn.result).outcome).toBe("cancelled");
  await expectUsable(real, session);
});

test("ignores a cancel when idle", async () => {
  const real = await realAgent("claude");
  const session = await real.session();
  await session.cancel();
  await real.turn(session, scenarioPrompt("text"));
  await session.cancel();
  expect(all(real.said(session), "turn.started")).toHaveLength(1);
  await expectUsable(real, session);
});

test("cancels by an abort signal", async () => {
  const real = await realAgent("claude");
  const session = await real.session();
  const abort = new AbortController();
  const turn = session.prompt(scenarioPrompt("slow-text"), { signal: abort.signal });
  await real.when(session, "message.delta");
  abort.abort();
  expect((await turn.result).outcome).toBe("cancelled");
  await expectUsable(real, session);
});

test("ends everything when closed while a tool runs", async () => {
  const real = await realAgent("claude");
  const session = await real.session({ mode: "full" });
  const turn = session.prompt(scenarioPrompt("long-shell"));
  await longShellRuns(real.home);
  await session.close();
  expect((await turn.result).outcome).toBe("cancelled");
  await expectNone(real.home, () => true);
});
