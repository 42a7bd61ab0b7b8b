/** Sessions whose agent is put to sleep, and what may happen at the same moment. */
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { createPuppet, type PuppetSession } from "../../../test/support/puppet.ts";
import type { ReinsOptions, Session, SessionOptions } from "../api.ts";
import { createReins } from "../reins.ts";

function stage(warm: ReinsOptions["warm"]) {
  const puppet = createPuppet();
  puppet.onPrompt = (session) => session.say({ type: "turn.ended", outcome: "done" });
  const reins = createReins({ guardian: false, env: {}, agents: [puppet.entry], warm });
  const session = (options: SessionOptions = {}) => reins.session({ agent: "puppet", cwd: tmpdir(), ...options });
  return { puppet, reins, session };
}

const say = async (session: Session, text: string) => (await session.prompt(text).result).outcome;

/** From now on closing it takes until it is let go. */
function holdClose(session: PuppetSession) {
  const [asked, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const close = session.close.bind(session);
  session.close = async () => {
    asked.resolve();
    await letGo.promise;
    await close();
  };
  return { asked: asked.promise, letGo: letGo.resolve };
}

test("a prompt that comes while the agent falls asleep waits for it to be gone, and wakes another", async () => {
  const { puppet, reins, session } = stage({ agents: 1 });
  await using _reins = reins;
  const one = await session();
  expect(await say(one, "first")).toBe("done");
  const closing = holdClose(puppet.session);
  const other = session();
  await closing.asked;
  const turn = one.prompt("again");
  expect(puppet.sessions).toHaveLength(1);
  closing.letGo();
  expect(await turn.result).toMatchObject({ outcome: "done", error: undefined });
  await other;
  expect(puppet.sessions).toHaveLength(3);
});

test("an agent that woke while the last one was closing counts as live", async () => {
  const { puppet, reins, session } = stage({ agents: 1 });
  await using _reins = reins;
  const one = await session();
  await say(one, "first");
  const closing = holdClose(puppet.session);
  const two = session();
  await closing.asked;
  const turn = one.prompt("again");
  closing.letGo();
  await turn.result;
  await say(await two, "second");
  const three = await session();
  await say(three, "third");
  expect(puppet.sessions.filter(({ closed }) => !closed)).toHaveLength(1);
});

test("several that start at once stay below the cap", async () => {
  const { puppet, reins, session } = stage({ agents: 2 });
  await using _reins = reins;
  await Promise.all([session(), session(), session(), session()]);
  expect(puppet.sessions.filter(({ closed }) => !closed)).toHaveLength(2);
});

test("what a sleeping agent still says is nobody's turn", async () => {
  const { puppet, reins, session } = stage({ agents: 1 });
  await using _reins = reins;
  const one = await session();
  await say(one, "first");
  const old = puppet.session;
  const closing = holdClose(old);
  const other = session();
  await closing.asked;
  const turn = one.prompt("again");
  old.say({ type: "process.exited", code: 0, signal: null, stderrTail: "" }, { type: "turn.ended", outcome: "failed" });
  closing.letGo();
  expect((await turn.result).outcome).toBe("done");
  await other;
});

test("one that is being told something is not put to sleep", async () => {
  const { puppet, reins, session } = stage({ agents: 1 });
  await using _reins = reins;
  const one = await session();
  const told = Promise.withResolvers<void>();
  puppet.session.configure = () => told.promise;
  const change = one.configure({ mode: "read" });
  await session();
  expect(puppet.sessions[0]!.closed).toBe(false);
  told.resolve();
  await change;
});

test("when work ends above the cap, the longest idle agent sleeps", async () => {
  const { puppet, reins, session } = stage({ agents: 1 });
  await using _reins = reins;
  puppet.onPrompt = () => {};
  const first = (await session()).prompt("work");
  const second = (await session()).prompt("work");
  await expect.poll(() => puppet.sessions.map(({ prompts }) => prompts.length)).toEqual([1, 1]);
  puppet.sessions[0]!.say({ type: "turn.ended", outcome: "done" });
  await first.result;
  await expect.poll(() => puppet.sessions.map(({ closed }) => closed)).toEqual([true, false]);
  puppet.sessions[1]!.say({ type: "turn.ended", outcome: "done" });
  await second.result;
  expect(puppet.sessions[1]!.closed).toBe(false);
});

test("a start that waits for memory says so in the session and in its first turn, and is not silence", async () => {
  const { puppet, reins, session } = stage({ freeMb: 1024 ** 3 });
  await using _reins = reins;
  puppet.onPrompt = () => {};
  const busy = await session();
  const work = busy.prompt("work");
  // Returns although its agent cannot start: whoever opened it can be told why.
  const waiting = await session({ maxQuietMs: 1 });
  const turn = waiting.prompt("go");
  const seen: string[] = [];
  puppet.onPrompt = (one) => one.say({ type: "turn.ended", outcome: "done" });
  for await (const event of turn) {
    seen.push(event.type === "notice" ? event.code : event.type);
    if (event.type !== "notice") continue;
    // Longer than the silence it may keep.
    await new Promise((resolve) => setTimeout(resolve, 20));
    puppet.sessions[0]!.say({ type: "turn.ended", outcome: "done" });
  }
  expect(seen).toEqual(["turn.started", "turn.phase", "waiting", "turn.completed"]);
  expect((await turn.result).outcome).toBe("done");
  await work.result;
});
