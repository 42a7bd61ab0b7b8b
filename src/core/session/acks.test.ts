/** A log that acknowledges late, like one behind a worker thread: nothing is reported before it is durable. */
import { expect, test, vi } from "vitest";
import { asks, done, rest, reinsWith, testFolder } from "../../../test/support/core.ts";
import { createPuppet } from "../../../test/support/puppet.ts";
import { testStore } from "../../../test/support/store.ts";
import type { PermissionReply } from "../api.ts";
import type { EventBatch } from "../log/event-batch.ts";
import type { SessionLog, Store } from "../log/types.ts";

/** Holds back appended events until `release` is called. */
function lateStore(): { store: Store; release: () => void } {
  const { store } = testStore();
  const held: (() => void)[] = [];
  const late = (log: SessionLog): SessionLog => ({
    append: (batch: EventBatch) => void held.push(() => log.append(batch)),
    room: () => log.room(),
    get acked() {
      return log.acked;
    },
    onAck: (listener) => log.onAck(listener),
    read: (after) => log.read(after),
    end: () => log.end(),
  });
  const open: Store["open"] = (id, about) => late(store.open(id, about));
  return {
    store: Object.create(store, { open: { value: open } }) as Store,
    release: () => {
      for (const append of held.splice(0)) append();
    },
  };
}

test("settles a turn and closes a session when its end is durable", async () => {
  const { store, release } = lateStore();
  const puppet = createPuppet();
  puppet.onPrompt = (agent) => agent.say(done);
  await using reins = reinsWith(puppet, { store });
  const session = await reins.session({ agent: "puppet", cwd: testFolder() });
  const [settled, closed] = [vi.fn<() => void>(), vi.fn<() => void>()];
  const turn = session.prompt("go");
  void turn.result.then(settled);
  await rest();
  expect(puppet.session.prompts).toHaveLength(1);
  expect(settled).not.toHaveBeenCalled();
  release();
  expect(await turn.result).toMatchObject({ outcome: "done" });
  void session.prompt("again");
  await rest();
  const closing = session.close().then(closed);
  await rest();
  expect(closed).not.toHaveBeenCalled();
  release();
  await closing;
  const types = store.sessions.read(session.id).map(({ type }) => type);
  expect(types.filter((type) => type === "turn.completed")).toHaveLength(2);
});

test("calls back only after the request is durable, and not for one settled meanwhile", async () => {
  const { store, release } = lateStore();
  const puppet = createPuppet();
  await using reins = reinsWith(puppet, { store });
  const onPermission = vi.fn<() => PermissionReply>(() => "allow");
  const session = await reins.session({ agent: "puppet", cwd: testFolder(), onPermission });
  const turn = session.prompt("go");
  await rest();
  puppet.session.say(asks);
  await rest();
  expect(onPermission).not.toHaveBeenCalled();
  release();
  await rest();
  expect(onPermission).toHaveBeenCalledTimes(1);
  puppet.session.say({ ...asks, requestId: "2", callId: "c2" } as typeof asks);
  await rest();
  void session.cancel();
  await rest();
  release();
  await turn.result;
  expect(onPermission).toHaveBeenCalledTimes(1);
  await Promise.all([session.close(), rest().then(release)]);
});

test("closes a session that was resumed and never prompted", async () => {
  const { store } = testStore();
  const puppet = createPuppet();
  puppet.onPrompt = (agent) => agent.say(done);
  const cwd = testFolder();
  await using reins = reinsWith(puppet, { store });
  const session = await reins.session({ agent: "puppet", cwd });
  await session.prompt("go").result;
  await session.close();
  const again = await reins.session({ resume: session.id, cwd });
  expect(again.resumedAt).toBeGreaterThan(0);
  await again.close();
});
