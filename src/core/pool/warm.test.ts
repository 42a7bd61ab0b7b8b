import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { createPuppet } from "../../../test/support/puppet.ts";
import type { ReinsOptions, Session, SessionOptions } from "../api.ts";
import { createReins } from "../reins.ts";

function stage(warm: ReinsOptions["warm"]) {
  const puppet = createPuppet();
  puppet.onPrompt = (session, { text }) =>
    session.say({ type: "message.delta", messageId: "m", text }, { type: "turn.ended", outcome: "done" });
  const reins = createReins({ guardian: false, env: {}, agents: [puppet.entry], warm });
  const session = (options: SessionOptions = {}) => reins.session({ agent: "puppet", cwd: tmpdir(), ...options });
  return { puppet, reins, session };
}
const say = async (session: Session, text: string) => (await session.prompt(text).result).outcome;

test("puts the longest idle agent to sleep above the limit, keeps its state and wakes it", async () => {
  const { puppet, reins, session } = stage({ agents: 2 });
  await using _reins = reins;
  const one = await session();
  expect(await say(one, "first")).toBe("done");
  const two = await session();
  expect(await say(two, "second")).toBe("done");
  const state = one.state;
  await session();
  expect(puppet.sessions.map(({ closed }) => closed)).toEqual([true, false, false]);
  expect(one.state).toBe(state);
  expect(await say(one, "again")).toBe("done");
  expect(puppet.session.options.state).toBe(state);
  expect(puppet.sessions.map(({ closed }) => closed)).toEqual([true, true, false, false]);
});

test("never puts a working agent or one with background tasks to sleep", async () => {
  const { puppet, reins, session } = stage({ agents: 1 });
  await using _reins = reins;
  const working = await session();
  puppet.onPrompt = () => {};
  const turn = working.prompt("work");
  const idle = await session();
  expect(puppet.sessions.map(({ closed }) => closed)).toEqual([false, false]);
  puppet.sessions[0]!.say(
    { type: "task.started", taskId: "t", kind: "shell", title: "Run", status: "running" },
    { type: "turn.ended", outcome: "done" },
  );
  await turn.result;
  await session();
  // The agent that was never prompted sleeps.
  expect(puppet.sessions.map(({ closed }) => closed)).toEqual([false, true, false]);
  puppet.onPrompt = (one) => one.say({ type: "turn.ended", outcome: "done" });
  expect(await say(idle, "first words")).toBe("done");
  expect(puppet.session.options.state).toBeUndefined();
});

test("gives a warmed session to a caller with the same options and its callbacks", async () => {
  const { puppet, reins, session } = stage({});
  await using _reins = reins;
  await reins.warm({ agent: "puppet", cwd: tmpdir(), mode: "ask", env: { A: "1", B: "2" } });
  await reins.warm({ agent: "puppet", cwd: tmpdir(), env: { B: "2", A: "1" } });
  expect(puppet.sessions).toHaveLength(1);
  await session({ mode: "full", env: { A: "1", B: "2" } });
  expect(puppet.sessions).toHaveLength(2);
  const asked: string[] = [];
  const taken = await session({
    env: { A: "1", B: "2" },
    onPermission: ({ title }) => {
      asked.push(title);
      return "allow";
    },
  });
  expect(puppet.sessions).toHaveLength(2);
  puppet.onPrompt = (one) =>
    one.say({
      type: "permission.requested",
      requestId: "r",
      callId: "c",
      tool: "shell",
      title: "Run it",
      input: {},
      options: [],
    });
  const turn = taken.prompt("go");
  const [first] = puppet.sessions;
  await expect.poll(() => first!.answers).toHaveLength(1);
  expect(asked).toEqual(["Run it"]);
  first!.say({ type: "turn.ended", outcome: "done" });
  await turn.result;
  // The warm session was taken, so the next one is new.
  await session({ env: { A: "1", B: "2" } });
  expect(puppet.sessions).toHaveLength(3);
});

test("limits the size and age of the pool", async () => {
  const { puppet, reins } = stage({ pool: 1, poolMs: 0 });
  await using _reins = reins;
  await reins.warm({ agent: "puppet", cwd: tmpdir() });
  await expect.poll(() => puppet.session.closed).toBe(true);
  const small = stage({ pool: 1 });
  await using _small = small.reins;
  await small.reins.warm({ agent: "puppet", cwd: tmpdir() });
  await small.reins.warm({ agent: "puppet", cwd: tmpdir(), mode: "full" });
  expect(small.puppet.sessions.map(({ closed }) => closed)).toEqual([true, false]);
});

test.each([{ agents: 0 }, { memoryMb: Number.NaN }, { pool: -1 }])("refuses %o in one sentence", (warm) => {
  expect(() => createReins({ guardian: false, env: {}, warm })).toThrow(
    expect.objectContaining({ code: "invalid_input" }),
  );
});
