import { expect, test } from "vitest";
import { LiveAgents, type LiveLimits, type IdleSession } from "./live-agents.ts";

class Someone implements IdleSession {
  slept = 0;
  since: number | undefined;
  constructor(since?: number) {
    this.since = since;
  }
  idleSince() {
    return this.since;
  }
  sleep() {
    this.slept++;
    return Promise.resolve();
  }
}

function agents(limits: Partial<LiveLimits>, memory: { used?: number; free?: number } = {}) {
  return new LiveAgents({
    limits: { agents: 2, memory: 100, free: 10, ...limits },
    memory: () => Promise.resolve(memory.used),
    freeMemory: () => memory.free ?? 1_000,
    lookMs: 1,
  });
}
const never = new AbortController().signal;
const silent = () => expect.unreachable("It should not wait.");

test("puts the longest idle agent to sleep above the limit, and never a working one", async () => {
  const live = agents({});
  const [busy, idle, idler, last] = [new Someone(), new Someone(20), new Someone(10), new Someone()];
  for (const one of [busy, idle]) await live.enter(one, silent, never);
  await live.enter(idler, silent, never);
  expect(idle.slept).toBe(1);
  await live.enter(last, silent, never);
  expect([busy.slept, idler.slept]).toEqual([0, 1]);
  // Two working agents are at the limit; a third starts anyway.
  await live.enter(new Someone(), silent, never);
  expect([busy.slept, last.slept]).toEqual([0, 0]);
});

test("lets idle agents sleep when memory is short, then makes a start wait and says so once", async () => {
  const memory = { used: 200, free: 1_000 };
  const live = agents({ agents: 10 }, memory);
  const [busy, idle] = [new Someone(), new Someone(1)];
  await live.enter(busy, silent, never);
  memory.used = 50;
  await live.enter(idle, silent, never);
  memory.used = 200;
  const said = Promise.withResolvers<string>();
  let times = 0;
  const waiting = live.enter(
    new Someone(),
    (why) => {
      times++;
      said.resolve(why);
    },
    never,
  );
  expect(await said.promise).toBe("The agents use all the memory they may use");
  expect(idle.slept).toBe(1);
  live.leave(busy);
  await waiting;
  expect(times).toBe(1);
});

test("reports a machine short of memory, lets the only agent start, and ends a wait on close", async () => {
  const live = agents({}, { free: 1 });
  const only = new Someone();
  await live.enter(only, silent, never);
  const gone = new AbortController();
  const entering = live.enter(new Someone(), (why) => gone.abort(why), gone.signal);
  await expect(entering).rejects.toMatchObject({ code: "cancelled" });
  expect(gone.signal.reason).toBe("This machine is short of memory");
});

test("ignores memory when it is unknown", async () => {
  const live = agents({}, {});
  await live.enter(new Someone(), silent, never);
  await live.enter(new Someone(), silent, never);
});
