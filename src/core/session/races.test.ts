/** Events that come too late, twice or in the wrong place: for an exited agent, a turn that moved on, a closing session. */
import { describe, expect, test } from "vitest";
import { asks, done, rest, sessionWith, until } from "../../../test/support/core.ts";
import { createPuppet } from "../../../test/support/puppet.ts";
import { slowGit } from "../../../test/support/slow-git.ts";
import { all, cast, fails, of, says } from "../../../test/route/support.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { PermissionReply } from "../api.ts";

const patient = { timeout: 30_000 };
const shell = { callId: "c", tool: "shell", nativeName: "sh", title: "make", input: {} } as const;
const wantsShell: AgentEvent = { type: "permission.requested", requestId: "1", ...shell, options: [] };
const exits: AgentEvent = { type: "process.exited", code: 1, signal: null, stderrTail: "" };
const runs: AgentEvent = { type: "tool.started", ...shell, kind: "execute" };

describe("a permission granted during the snapshot", () => {
  test("is not sent to another agent that has the session since", patient, async () => {
    const { env, release } = slowGit();
    const { a, b, session } = cast({ env });
    const opened = await session({ mode: "ask", attended: true });
    const turn = opened.prompt("make");
    await rest();
    a.session.say(runs, { ...wantsShell, callId: "d" });
    const { requestId } = await until(turn, "permission.requested");
    opened.answer(requestId, "allow");
    await rest();
    expect(a.session.answers).toEqual([]);
    void opened.handoff({ to: "b" });
    await rest();
    // The new agent asks under the same id, which nobody has answered.
    b.session.say(wantsShell);
    release();
    await expect.poll(() => b.session.prompts.length, patient).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await rest();
    expect(b.session.answers).toEqual([]);
    await opened.close();
  });

  test("is not sent after a cancel", patient, async () => {
    const { env, release } = slowGit();
    const puppet = createPuppet();
    puppet.onCancel = () => {};
    const session = await sessionWith(puppet, { attended: true }, { env });
    const turn = session.prompt("make");
    await rest();
    puppet.session.say(runs, { ...wantsShell, callId: "d" });
    const { requestId } = await until(turn, "permission.requested");
    session.answer(requestId, "allow");
    void session.cancel();
    release();
    await expect.poll(() => puppet.session.answers, patient).toHaveLength(1);
    expect(puppet.session.answers[0]).toMatchObject({ requestId: "1", answer: { decision: "deny" } });
    puppet.session.say({ type: "turn.ended", outcome: "cancelled" });
    expect((await turn.result).outcome).toBe("cancelled");
  });

  test("is not sent when the agent withdrew its request", patient, async () => {
    const { env, release } = slowGit();
    const puppet = createPuppet();
    const session = await sessionWith(puppet, { attended: true }, { env });
    const turn = session.prompt("make");
    await rest();
    puppet.session.say(runs, { ...wantsShell, callId: "d" });
    const { requestId } = await until(turn, "permission.requested");
    session.answer(requestId, "allow");
    puppet.session.say({ type: "permission.resolved", requestId: "1", outcome: "cancelled", by: "agent" });
    await rest();
    release();
    puppet.session.say(done);
    await turn.result;
    await rest();
    expect(puppet.session.answers).toEqual([]);
  });
});

describe("an exited agent whose stream ends late", () => {
  test("does not end the turn that another agent has since", async () => {
    const { a, b, session } = cast();
    const opened = await session();
    const turn = opened.prompt("go");
    await rest();
    a.session.say(exits, fails("overloaded"));
    await expect.poll(() => b.sessions[0]?.prompts.length).toBe(1);
    a.session.say({ type: "turn.ended", outcome: "refused" });
    a.session.die();
    await rest();
    b.session.say(says("By b."), done);
    expect(await turn.result).toMatchObject({ outcome: "done", text: "By b." });
    await all(opened);
  });
});

describe("a handoff", () => {
  test("is refused when the session closes before the agent starts", async () => {
    const { a, session } = cast();
    const opened = await session({ fallback: [] });
    const gone = Promise.withResolvers<void>();
    const end = a.session.close.bind(a.session);
    a.session.close = () => gone.promise.then(end);
    const handed = opened.handoff({ to: "b" });
    handed.catch(() => {});
    await rest();
    const closed = opened.close();
    gone.resolve();
    await closed;
    await expect(handed).rejects.toMatchObject({ code: "cancelled" });
    expect(opened.agent).toBe("a");
  });

  test("of a turn does not wait for slow readers", async () => {
    const { a, b, session } = cast({ limits: { waitingBytes: 10_000 } });
    a.onPrompt = (to) => {
      for (let i = 0; i < 50; i++) to.say({ type: "message.delta", messageId: "m", text: "x".repeat(1000) });
    };
    b.onPrompt = (to) => to.say(says("By b."), done);
    const opened = await session({ fallback: [] });
    const turn = opened.prompt("flood");
    await turn[Symbol.asyncIterator]().next();
    await rest();
    expect(a.session.pulled).toBeLessThan(50);
    await opened.handoff({ to: "b" });
    expect(await turn.result).toMatchObject({ outcome: "done", text: "By b." });
    await all(opened);
  });
});

test.each(["onPermission", "onQuestion"] as const)(
  "treats an %s callback without an answer as failed",
  async (callback) => {
    const puppet = createPuppet();
    const nothing = () => undefined as unknown as PermissionReply;
    const session = await sessionWith(puppet, { [callback]: nothing });
    const turn = session.prompt("write");
    await rest();
    if (callback === "onPermission") puppet.session.say(asks);
    else puppet.session.say({ type: "question.requested", requestId: "p1", questions: [] });
    await rest();
    const decision = callback === "onPermission" ? "deny" : "skip";
    expect(puppet.session.answers).toMatchObject([{ requestId: "p1", answer: { decision } }]);
    puppet.session.say(done);
    await turn.result;
    expect(of(await all(session), "notice").map(({ code }) => code)).toContain("callback");
  },
);

describe("a prompt", () => {
  test("right after a mode change goes to an agent in that mode", async () => {
    const puppet = createPuppet();
    puppet.onPrompt = (agent) => agent.say(done);
    const session = await sessionWith(puppet, { mode: "full" });
    puppet.session.die();
    await rest();
    const changed = session.configure({ mode: "read" });
    const turn = session.prompt("look");
    await changed;
    await turn.result;
    const { options, changes } = puppet.session;
    expect([options.mode, ...changes.map(({ mode }) => mode)].at(-1)).toBe("read");
  });

  test("is not sent to an agent that is being stopped because its cancel failed", async () => {
    const puppet = createPuppet();
    puppet.onCancel = () => Promise.reject(new Error("No."));
    const session = await sessionWith(puppet);
    const [first] = puppet.sessions;
    const gone = Promise.withResolvers<void>();
    const end = first!.close.bind(first);
    first!.close = () => gone.promise.then(end);
    const one = session.prompt("one");
    await rest();
    void session.cancel();
    await rest();
    first!.say({ type: "turn.ended", outcome: "cancelled" });
    await one.result;
    const two = session.prompt("two");
    await rest();
    gone.resolve();
    await expect.poll(() => puppet.sessions.length).toBe(2);
    puppet.session.say(says("Two."), done);
    expect(await two.result).toMatchObject({ outcome: "done", text: "Two." });
    expect(first!.prompts).toHaveLength(1);
  });

  test("added to a turn is settled when its agent is gone, confirmed or not", async () => {
    const puppet = createPuppet();
    const session = await sessionWith(puppet);
    const one = session.prompt("one");
    await rest();
    const confirmed = Promise.withResolvers<void>();
    puppet.session.steer = () => confirmed.promise;
    const two = session.prompt("two", { whenBusy: "steer" });
    puppet.session.say(done);
    await one.result;
    puppet.session.die();
    await expect(two.result).rejects.toMatchObject({ code: "agent_crashed" });
    confirmed.reject(new Error("Too late."));
    await all(session);
  });
});

test("a repeated end does not end the prompt that was sent in between", async () => {
  const puppet = createPuppet();
  const session = await sessionWith(puppet);
  const [first, second] = [session.prompt("one"), session.prompt("two", { whenBusy: "queue" })];
  await rest();
  puppet.session.say(done, done);
  await first.result;
  await rest();
  expect(puppet.session.prompts).toHaveLength(2);
  puppet.session.say({ type: "message.completed", messageId: "m", text: "second" }, done);
  expect(await second.result).toMatchObject({ outcome: "done", text: "second" });
});
