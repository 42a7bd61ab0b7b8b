/**
 * Ten orderings that are easy to break when the session's code changes (docs/architecture.md, "The session"). Each
 * title starts with its number. Others are covered elsewhere: 3 in subagent-turns.test.ts, 6 in session.test.ts
 * ("works while the reader is stalled").
 */
import { describe, expect, test } from "vitest";
import { asks, done, reinsWith, rest, sessionWith, testFolder } from "../../../test/support/core.ts";
import { expectLawful } from "../../../test/support/lawful.ts";
import { createPuppet } from "../../../test/support/puppet.ts";
import { slowGit } from "../../../test/support/slow-git.ts";
import { cast, fails, holdsClosing, of } from "../../../test/route/support.ts";
import { ReinsError } from "../../events/errors.ts";
import type { AgentEvent, ReinsEvent } from "../../events/types.ts";
import type { Session } from "../api.ts";

/** On a busy machine a process may be slow. */
const patient = { timeout: 30_000 };
const says = (text: string): AgentEvent => ({ type: "message.completed", messageId: text, text });
const shell = { callId: "c", tool: "shell", nativeName: "sh", title: "make", input: {} } as const;
const runs: AgentEvent = { type: "tool.started", ...shell, kind: "execute" };
const held = (requestId: string): AgentEvent => ({ type: "tool.held", ...shell, requestId, callId: requestId });
const exits: AgentEvent = { type: "process.exited", code: 1, signal: null, stderrTail: "" };

/** All events of a session, after it is closed. */
async function seen(session: Session): Promise<ReinsEvent[]> {
  await session.close();
  const events: ReinsEvent[] = [];
  for await (const event of session.events()) events.push(event);
  expectLawful(events);
  return events;
}

test("1: does not read the agent between turn.ended and the end of the turn", async () => {
  const { env, release } = slowGit();
  const puppet = createPuppet();
  puppet.onPrompt = (agent) => {
    // In the same batch, and in the next one.
    agent.say(runs, done, says("after"));
    agent.say(says("later"));
  };
  const session = await sessionWith(puppet, {}, { env });
  const turn = session.prompt("make");
  await rest();
  expect(puppet.session.pulled).toBe(1);
  release();
  expect(await turn.result).toMatchObject({ outcome: "done", text: "" });
  await rest();
  const events = await seen(session);
  const [first, second] = of(events, "turn.started");
  expect([first?.origin, second?.origin]).toEqual(["prompt", "agent"]);
  expect(of(events, "message.completed").map(({ text, turnId }) => [text, turnId])).toEqual([
    ["after", second?.turnId],
    ["later", second?.turnId],
  ]);
});

test("1: refuses a prompt during finishing, or queues it after the turn and its after-steps", async () => {
  const { env, release } = slowGit();
  const puppet = createPuppet();
  puppet.onPrompt = (agent, { text }) => agent.say(...(text === "make" ? [runs, done] : [says(text), done]));
  const session = await sessionWith(puppet, {}, { env });
  const turn = session.prompt("make");
  await rest();
  await expect(session.prompt("two").result).rejects.toMatchObject({ code: "session_busy" });
  const queued = session.prompt("three", { whenBusy: "queue" });
  const steered = session.prompt("four", { whenBusy: "steer" });
  release();
  expect((await turn.result).outcome).toBe("done");
  expect([(await queued.result).text, (await steered.result).text]).toEqual(["three", "four"]);
  expect(puppet.session.steered).toEqual([]);
  await seen(session);
});

test("2: after an agent exited only notices and turn.ended count, and a prompt opens a new leg", async () => {
  const puppet = createPuppet();
  const session = await sessionWith(puppet);
  const first = puppet.session;
  const one = session.prompt("one");
  first.say(
    exits,
    says("a ghost"),
    { type: "notice", level: "info", code: "stderr", message: "last words" },
    { type: "turn.ended", outcome: "refused", error: { code: "refused", message: "No.", retryable: false } },
  );
  expect(await one.result).toMatchObject({ outcome: "refused", text: "" });
  // The stream of the first leg is still open.
  const two = session.prompt("two");
  await rest();
  expect(puppet.sessions).toHaveLength(2);
  first.say(says("another ghost"));
  first.die();
  await rest();
  puppet.session.say(says("alive"), done);
  expect(await two.result).toMatchObject({ outcome: "done", text: "alive" });
  const events = await seen(session);
  expect(of(events, "message.completed").map(({ text }) => text)).toEqual(["alive"]);
  expect(of(events, "notice").map(({ message }) => message)).toContain("last words");
});

test("4: applies a wider mode only after the agent confirmed it", async () => {
  const puppet = createPuppet();
  const session = await sessionWith(puppet, { mode: "read" });
  session.prompt("write");
  const taken = Promise.withResolvers<void>();
  puppet.session.configure = () => taken.promise;
  const changed = session.configure({ mode: "full" });
  puppet.session.say({ ...held("h1"), tool: "write" } as AgentEvent);
  await rest();
  taken.resolve();
  await changed;
  puppet.session.say({ ...held("h2"), tool: "write" } as AgentEvent);
  await rest();
  expect(puppet.session.answers.map(({ requestId, answer }) => [requestId, answer.decision])).toEqual([
    ["h1", "deny"],
    ["h2", "allow"],
  ]);
});

describe("5: during the snapshot", () => {
  test("a held tool waits and is decided again with the current mode", async () => {
    const { env, release } = slowGit();
    const puppet = createPuppet();
    const session = await sessionWith(puppet, { mode: "full" }, { env });
    session.prompt("make");
    puppet.session.say(held("h1"));
    await rest();
    expect(puppet.session.answers).toEqual([]);
    await session.configure({ mode: "read" });
    release();
    await expect
      .poll(() => puppet.session.answers, patient)
      .toMatchObject([{ requestId: "h1", answer: { decision: "deny" } }]);
    await seen(session);
  });

  test("a denial does not wait", async () => {
    const { env, release } = slowGit();
    const puppet = createPuppet();
    const session = await sessionWith(puppet, { mode: "full" }, { env });
    session.prompt("make");
    puppet.session.say(held("h1"));
    await rest();
    await session.configure({ mode: "read" });
    puppet.session.say(held("h2"));
    await rest();
    expect(puppet.session.answers).toMatchObject([{ requestId: "h2", answer: { decision: "deny" } }]);
    release();
    await expect.poll(() => puppet.session.answers, patient).toHaveLength(2);
    await seen(session);
  });

  test("a user's permission is sent afterwards", async () => {
    const { env, release } = slowGit();
    const puppet = createPuppet();
    const session = await sessionWith(puppet, { mode: "ask", onPermission: () => "allow" }, { env });
    session.prompt("make");
    puppet.session.say(runs, { type: "permission.requested", ...shell, requestId: "p", options: [] });
    await rest();
    expect(puppet.session.answers).toEqual([]);
    release();
    await expect
      .poll(() => puppet.session.answers, patient)
      .toMatchObject([{ requestId: "p", answer: { decision: "allow" } }]);
    await seen(session);
  });
});

test("6: a cancel does not wait for a slow reader", async () => {
  const puppet = createPuppet();
  const session = await sessionWith(puppet, {}, { limits: { waitingBytes: 10_000 }, deadlines: { cancel: 600_000 } });
  const turn = session.prompt("flood");
  await turn[Symbol.asyncIterator]().next();
  for (let i = 0; i < 50; i++) puppet.session.say({ type: "message.delta", messageId: "m", text: "x".repeat(1000) });
  await rest();
  expect(puppet.session.pulled).toBeLessThan(20);
  await turn.cancel();
  expect((await turn.result).outcome).toBe("cancelled");
  // The agent itself was told, and its end was read.
  expect([puppet.session.cancels, puppet.session.closed]).toEqual([1, false]);
});

describe("7: the reason why a turn stops", () => {
  test("a cancel is not overwritten by a later error", async () => {
    const puppet = createPuppet();
    puppet.onCancel = (agent) =>
      agent.say({
        type: "turn.ended",
        outcome: "failed",
        error: { code: "network", message: "Cut off.", retryable: true },
      });
    const session = await sessionWith(puppet);
    const turn = session.prompt("go");
    await turn.cancel();
    expect((await turn.result).outcome).toBe("cancelled");
    await seen(session);
  });

  test("an error is replaced by a cancel", async () => {
    const { a, b, session } = cast();
    const opened = await session({ maxQuietMs: 15 });
    const closing = holdsClosing(a.session);
    const turn = opened.prompt("Do it.");
    await closing.reached;
    const cancelled = turn.cancel();
    closing.release();
    await cancelled;
    expect((await turn.result).outcome).toBe("cancelled");
    expect(b.sessions).toEqual([]);
    await seen(opened);
  });

  test("is cleared when another agent takes the turn", async () => {
    const { a, b, session } = cast();
    a.onPrompt = () => {};
    b.onPrompt = (one) => one.say(says("by b"), done);
    const opened = await session({ maxQuietMs: 100 });
    expect(await opened.prompt("Do it.").result).toMatchObject({ outcome: "done", text: "by b" });
    expect(of(await seen(opened), "agent.switched")).toMatchObject([{ reason: "agent_hung" }]);
  });

  test("a failed switch restores the first agent and its error", async () => {
    const { a, b, session } = cast({ ready: { c: false } });
    a.onPrompt = (one) => one.say(fails("agent_crashed"));
    b.onOpen = () => Promise.reject(new ReinsError("not_authenticated", "Sign in."));
    const opened = await session();
    expect(await opened.prompt("Do it.").result).toMatchObject({ outcome: "failed", error: { code: "agent_crashed" } });
    expect(opened.agent).toBe("a");
    await seen(opened);
  });
});

test("8: an agent's own mode change never widens the user's mode", async () => {
  const puppet = createPuppet();
  const session = await sessionWith(puppet, { mode: "ask" });
  session.prompt("go");
  puppet.session.say({ type: "session.updated", mode: "full", by: "agent" }, {
    ...held("h1"),
    tool: "write",
  } as AgentEvent);
  await rest();
  expect(puppet.session.answers).toMatchObject([{ requestId: "h1", answer: { decision: "defer" } }]);
  puppet.session.say({ type: "session.updated", mode: "read", by: "agent" }, {
    ...held("h2"),
    tool: "write",
  } as AgentEvent);
  await rest();
  expect(puppet.session.answers.at(-1)).toMatchObject({ requestId: "h2", answer: { decision: "deny" } });
  // The log shows what the agent reported; the effective mode is decided separately.
  const modes = of(await seen(session), "session.updated").map(({ mode }) => mode);
  expect(modes).toEqual(["full", "read"]);
});

test("9: keeps events of a warm session from before it was claimed, and replaces its callbacks", async () => {
  const puppet = createPuppet();
  const reins = reinsWith(puppet);
  const cwd = testFolder();
  const wanted = { agent: "puppet", cwd, mode: "ask" } as const;
  await reins.warm({ ...wanted, onPermission: () => "deny" });
  puppet.session.say({ type: "notice", level: "info", code: "hello", message: "I am warm." });
  await rest();
  const session = await reins.session({ ...wanted, onPermission: () => "allow" });
  expect(puppet.sessions).toHaveLength(1);
  const turn = session.prompt("write");
  puppet.session.say(asks);
  await expect.poll(() => puppet.session.answers, patient).toMatchObject([{ answer: { decision: "allow" } }]);
  puppet.session.say(done);
  await turn.result;
  expect(of(await seen(session), "notice").map(({ message }) => message)).toEqual(["I am warm."]);
});

test("10: redacts errors with the session's own secrets", async () => {
  const secret = "only-this-session-knows";
  const puppet = createPuppet();
  const session = await sessionWith(puppet, { env: { MY_TOKEN: secret } });
  const says = (what: string) => new ReinsError("unsupported", `${what} ${secret}`, { cause: new Error(secret) });
  const thrown: unknown[] = [];
  const failing = async (work: Promise<unknown>): Promise<void> => {
    await work.catch((error: unknown) => thrown.push(error));
  };
  puppet.session.configure = () => Promise.reject(says("configure"));
  await failing(session.configure({ mode: "full" }));
  const running = session.prompt("go");
  puppet.session.steer = () => Promise.reject(says("steer"));
  await failing(session.prompt("left", { whenBusy: "steer" }).result);
  puppet.session.say(done);
  await running.result;
  puppet.onPrompt = () => Promise.reject(says("prompt"));
  const failed = await session.prompt("again").result;
  expect(failed.error?.message).toMatch(/^prompt /);
  expect(thrown).toHaveLength(2);
  const texts = thrown.map((error) => `${(error as Error).message} ${String((error as Error).cause)}`);
  expect(JSON.stringify([texts, failed, await seen(session)])).not.toContain(secret);
});
