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

test("above the cap the longest idle one sleeps, and one that works never does", async () => {
  const live = agents({});
  const [busy, idle, idler, last] = [new Someone(), new Someone(20), new Someone(10), new Someone()];
  for (const one of [busy, idle]) await live.enter(one, silent, never);
  await live.enter(idler, silent, never);
  expect(idle.slept).toBe(1);
  await live.enter(last, silent, never);
  expect([busy.slept, idler.slept]).toEqual([0, 1]);
  // Two that work are at the cap; a third comes all the same.
  await live.enter(new Someone(), silent, never);
  expect([busy.slept, last.slept]).toEqual([0, 0]);
});

test("short of memory, idle ones sleep first, and then a start waits and says so once", async () => {
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
  expect(await said.promise).toBe("The agents have all the memory they may have");
  expect(idle.slept).toBe(1);
  live.leave(busy);
  await waiting;
  expect(times).toBe(1);
});

test("a machine short of memory is said too; the only agent never waits, and nobody waits for a closed session", async () => {
  const live = agents({}, { free: 1 });
  const only = new Someone();
  await live.enter(only, silent, never);
  const gone = new AbortController();
  const entering = live.enter(new Someone(), (why) => gone.abort(why), gone.signal);
  await expect(entering).rejects.toMatchObject({ code: "cancelled" });
  expect(gone.signal.reason).toBe("This machine is short of memory");
});

test("where memory cannot be known, it does not count", async () => {
  const live = agents({}, {});
  await live.enter(new Someone(), silent, never);
  await live.enter(new Someone(), silent, never);
});
