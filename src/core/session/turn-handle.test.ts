import { expect, test } from "vitest";
import { done, reinsWith, rest, sessionWith, testFolder } from "../../../test/support/core.ts";
import { createPuppet } from "../../../test/support/puppet.ts";

test("a reader that leaves before the turn starts blocks nothing", async () => {
  const puppet = createPuppet();
  const session = await sessionWith(puppet, {}, { limits: { waitingBytes: 10_000 } });
  session.prompt("one");
  const queued = session.prompt("two", { whenBusy: "queue" });
  const reader = queued[Symbol.asyncIterator]();
  const first = reader.next();
  await rest();
  await reader.return?.();
  puppet.onPrompt = (agent) => {
    for (let i = 0; i < 50; i++) agent.say({ type: "message.delta", messageId: "m", text: "x".repeat(1000) });
    agent.say(done);
  };
  puppet.session.say(done);
  expect((await first).done).toBe(true);
  expect((await queued.result).outcome).toBe("done");
});

test("a signal cancels a run whose agent is still starting", async () => {
  const puppet = createPuppet();
  const started = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const opening = Promise.withResolvers<void>();
  puppet.onOpen = ({ signal }) => {
    opening.resolve();
    signal?.addEventListener("abort", () => ended.resolve());
    return started.promise;
  };
  const abort = new AbortController();
  const turn = reinsWith(puppet).run("hi", { agent: "puppet", cwd: testFolder(), signal: abort.signal });
  await opening.promise;
  abort.abort();
  await expect(turn.result).rejects.toMatchObject({ code: "cancelled" });
  await ended.promise;
  started.resolve();
});

test("concurrent calls of next get all events in order", async () => {
  const puppet = createPuppet();
  const session = await sessionWith(puppet);
  const reader = session.prompt("count")[Symbol.asyncIterator]();
  const asked = Array.from({ length: 9 }, () => reader.next());
  for (let i = 0; i < 3; i++) {
    await rest();
    puppet.session.say({ type: "message.delta", messageId: "m", text: `${i}` }, { type: "turn.phase", phase: "model" });
  }
  puppet.session.say(done);
  const steps = await Promise.all(asked);
  const seqs = steps.flatMap(({ value }) => (value === undefined ? [] : [(value as { seq: number }).seq]));
  expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  expect(seqs.length).toBe(9);
});
