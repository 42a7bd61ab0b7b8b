/** Cancels, retries and failures: the traps of its wire. */
import { expect, test } from "vitest";
import type { PermissionReply, PermissionRequest, Session } from "../../../src/core/api.ts";
import type { ErrorCode } from "../../../src/events/errors.ts";
import { scenarioPrompt, type Scenario } from "../../../src/testing/index.ts";
import { all, messages, one, whole } from "../support/events.ts";
import { expectNone } from "../support/left.ts";
import { realAgent, type RealAgent } from "../support/real-agent.ts";
import { agentPid, longShellRuns } from "./support/processes.ts";
import { asked } from "./support/requests.ts";

async function expectUsable(real: RealAgent, session: Session, before: number): Promise<void> {
  const { result } = await real.turn(session, scenarioPrompt("text"));
  expect(result).toMatchObject({ outcome: "done", text: "Hello from the scripted model." });
  expect(agentPid(real.home)).toEqual(before);
}

test("cancels before the turn has begun, repeatedly", async () => {
  const real = await realAgent("qwen");
  const session = await real.session();
  for (let times = 0; times < 3; times++) {
    const turn = session.prompt(scenarioPrompt("late-text"));
    await turn.cancel();
    expect((await turn.result).outcome).toBe("cancelled");
  }
  await expectUsable(real, session, agentPid(real.home));
});

test("cancels at a question, in a subagent, at a subagent's permission, during a retry, and on a hanging connection", async () => {
  const real = await realAgent("qwen");
  const onPermission = ({ tool }: PermissionRequest, signal: AbortSignal) =>
    new Promise<PermissionReply>((resolve) => {
      if (tool === "task") resolve("allow");
      signal.addEventListener("abort", () => resolve("deny"));
    });
  const session = await real.session({ attended: true, onPermission });
  const cancelledAt = async (prompt: string, moment: () => Promise<unknown>) => {
    const turn = session.prompt(prompt);
    await moment();
    await turn.cancel();
    const { result, events } = await whole(turn);
    expect(result).toMatchObject({ outcome: "cancelled" });
    return events;
  };
  const question = await cancelledAt(scenarioPrompt("question"), () => real.when(session, "question.requested"));
  expect(one(question, "question.resolved")).toMatchObject({ outcome: "cancelled", by: "cancel" });
  const before = agentPid(real.home);
  await cancelledAt(scenarioPrompt("subagent", "scenario:slow-text Say it."), () => real.model.reached("slow"));
  await cancelledAt(scenarioPrompt("subagent-permission"), () =>
    real.when(session, "permission.requested", (event) => event.tool === "shell"),
  );
  await cancelledAt(scenarioPrompt("hang-midway"), () =>
    real.when(session, "message.delta", (event) => event.parent === undefined),
  );
  await cancelledAt(scenarioPrompt("error-429"), () => real.when(session, "agent.retrying"));
  await expectUsable(real, session, before);
});

test("extends a turn until its background subagents are done, and closes without waiting", async () => {
  const real = await realAgent("qwen");
  const session = await real.session({ mode: "full" });
  const turn = session.prompt(scenarioPrompt("background-subagent"));
  await real.model.reached("late");
  real.model.release("late");
  const { result, events } = await whole(turn);
  expect(all(events, "task.started")).toHaveLength(1);
  expect(result).toMatchObject({ outcome: "done" });
  expect(result.background).toBeUndefined();
  const second = session.prompt(scenarioPrompt("long-shell"));
  await longShellRuns(real.home);
  await session.close();
  expect((await second.result).outcome).toBe("cancelled");
  await expectNone(real.home, () => true);
});

const failures: readonly (readonly [string, ErrorCode, number])[] = [
  ["error-404", "model_unknown", 0],
  ["prompt-too-long", "context_too_long", 0],
  ["credit", "quota_exhausted", 2],
];

test("maps failures to codes without text, and still saves the conversation after each", async () => {
  const real = await realAgent("qwen");
  const session = await real.session();
  for (const [scenario, code, expected] of failures) {
    const { result, events } = await real.turn(session, scenarioPrompt(scenario));
    expect({ scenario, ...result }).toMatchObject({ scenario, outcome: "failed", text: "", error: { code } });
    expect(messages(events)).toEqual([]);
    expect(all(events, "agent.retrying").map((event) => event.attempt)).toEqual([1, 2].slice(0, expected));
  }
  const { state } = (await real.turn(session, scenarioPrompt("echo", "after-the-failures"))).result;
  await session.close();
  await real.turn(await real.session({ resume: state }), scenarioPrompt("text"));
  expect(asked(real.model).at(-1)!.messages).toContain("after-the-failures");
});

test("retries two failures visibly", async () => {
  const real = await realAgent("qwen");
  const { result, events } = await real.turn(await real.session(), scenarioPrompt("error-500-twice"));
  expect(all(events, "agent.retrying").map((event) => event.error.code)).toEqual(["overloaded", "overloaded"]);
  expect(all(events, "turn.phase").map((event) => event.phase)).toContain("retry");
  expect(result).toMatchObject({ outcome: "done", text: "It worked in the end." });
});

test("fails when no server listens at the address", async () => {
  const real = await realAgent("qwen", { env: { OPENAI_BASE_URL: "http://127.0.0.1:1/v1" } });
  const { result } = await real.turn(await real.session(), scenarioPrompt("text"));
  expect(result).toMatchObject({ outcome: "failed", error: { code: "network", retryable: true } });
});

test("does not repeat text of an answer that breaks off once, breaks off every time, or reaches the model's limit", async () => {
  const broken = (name: string, act: Scenario["steps"][number][number]): Scenario => ({
    name,
    steps: [[{ say: "A whole ans" }, { gate: "broken" }, act, { say: "wer." }]],
  });
  const scenarios = [broken("cut-here", { cut: { times: 1 } }), broken("error-here", { midError: { times: 1 } })];
  const real = await realAgent("qwen", { scenarios });
  const session = await real.session();
  for (const { name } of scenarios) {
    const turn = session.prompt(scenarioPrompt(name));
    await real.model.reached("broken");
    real.model.release("broken");
    real.model.release("broken");
    const { result, events } = await whole(turn);
    expect(result).toMatchObject({ outcome: "done", text: "A whole answer." });
    const pieces = all(events, "message.delta").map((piece) => piece.text);
    expect([pieces.join(""), ...messages(events)]).toEqual(["A whole answer.", "A whole answer."]);
  }
  const limit = await real.turn(session, scenarioPrompt("max-tokens"));
  expect(messages(limit.events)).toEqual(["This goes on and"]);
  const always = await real.turn(session, scenarioPrompt("cut"));
  expect(always.result).toMatchObject({ outcome: "failed", text: "Half an ans", error: { code: "network" } });
});
