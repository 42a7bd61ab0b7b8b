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

/** Makes closing take until it is released. */
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

test("a prompt during falling asleep waits for the process to end, then starts another", async () => {
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

test("counts an agent that woke while the last one was closing as live", async () => {
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

test("keeps concurrent starts below the limit", async () => {
  const { puppet, reins, session } = stage({ agents: 2 });
  await using _reins = reins;
  await Promise.all([session(), session(), session(), session()]);
  expect(puppet.sessions.filter(({ closed }) => !closed)).toHaveLength(2);
});

test("ignores events of a sleeping agent", async () => {
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

test("does not put an agent to sleep that is being configured", async () => {
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

test("puts the longest idle agent to sleep when work ends above the limit", async () => {
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

test("reports a start that waits for memory in the session and its first turn, and not as silence", async () => {
  const { puppet, reins, session } = stage({ freeMb: 1024 ** 3 });
  await using _reins = reins;
  puppet.onPrompt = () => {};
  const busy = await session();
  const work = busy.prompt("work");
  // Returns although the agent cannot start, so that the caller can be told why.
  const waiting = await session({ maxQuietMs: 1 });
  const turn = waiting.prompt("go");
  const seen: string[] = [];
  puppet.onPrompt = (one) => one.say({ type: "turn.ended", outcome: "done" });
  for await (const event of turn) {
    seen.push(event.type === "notice" ? event.code : event.type);
    if (event.type !== "notice") continue;
    // Longer than the allowed silence.
    await new Promise((resolve) => setTimeout(resolve, 20));
    puppet.sessions[0]!.say({ type: "turn.ended", outcome: "done" });
  }
  expect(seen).toEqual(["turn.started", "turn.phase", "waiting", "turn.completed"]);
  expect((await turn.result).outcome).toBe("done");
  await work.result;
});
