import { expect, test } from "vitest";
import { EventBatch } from "../core/log/event-batch.ts";
import { setImmediate as rest } from "node:timers/promises";
import { about, conversation, owner, stamped, storeIn, testStore } from "../../test/support/store.ts";
import type { SessionLog, Store } from "../core/log/types.ts";
import type { EventPayload, ReinsEvent } from "../events/types.ts";

const delta = (text: string): EventPayload => ({ type: "message.delta", messageId: "m", text });

async function read(log: SessionLog, after = 0): Promise<ReinsEvent[]> {
  const all: ReinsEvent[] = [];
  for await (const batch of log.read(after)) all.push(...batch.events);
  return all;
}

test("shows an event when it is durable and not earlier", async () => {
  const { store, folder } = testStore();
  const log = store.open("ses_a", about());
  const acked: number[] = [];
  log.onAck((seq) => acked.push(seq));
  const reader = log.read(0);
  const next = reader.next();
  log.append(new EventBatch(stamped("ses_a", [{ type: "notice", level: "info", code: "x", message: "hello" }])));
  // Another process sees only durable events.
  const other = storeIn(folder);
  expect(other.sessions.get("ses_a")).toBeUndefined();
  expect([log.acked, acked]).toEqual([0, []]);
  const { value } = (await next) as { value: EventBatch };
  expect(other.sessions.lines("ses_a")).toEqual(value.events.map((event) => JSON.stringify(event)));
  expect(other.sessions.lines("ses_a")).toEqual(value.lines());
  expect([log.acked, acked]).toEqual([1, [1]]);
});

test("writes 64 events, a request and the end of a turn at once", () => {
  const { store, folder } = testStore();
  const other = storeIn(folder);
  const kept = (id: string): number => other.sessions.get(id)?.lastSeq ?? 0;
  const log = store.open("ses_a", about());
  const many = stamped(
    "ses_a",
    Array.from({ length: 64 }, () => delta("x")),
  );
  log.append(new EventBatch(many.slice(0, 63)));
  expect(kept("ses_a")).toBe(0);
  log.append(new EventBatch(many.slice(63)));
  expect(kept("ses_a")).toBe(64);
  const permission: EventPayload = {
    type: "permission.requested",
    requestId: "r",
    callId: "c",
    tool: "shell",
    title: "Run",
    input: {},
    options: [],
  };
  log.append(new EventBatch(stamped("ses_a", [permission], 65)));
  expect(kept("ses_a")).toBe(65);
  store.open("ses_b", about()).append(new EventBatch(stamped("ses_b", conversation("p"))));
  expect(kept("ses_b")).toBe(3);
});

test("never waits for a reader, and a reader far behind misses nothing", async () => {
  const { store } = testStore();
  const log = store.open("ses_a", about());
  const text = (_: unknown, n: number) => delta(`${n} ${"x".repeat(400)}`);
  const events = stamped("ses_a", [...conversation("p"), ...Array.from({ length: 4_997 }, text)]);
  for (let at = 0; at < events.length; at += 50) log.append(new EventBatch(events.slice(at, at + 50)));
  expect(log.room()).toBeUndefined();
  log.end();
  expect(await read(log)).toEqual(events);
  expect(await read(log, 4_999)).toEqual(events.slice(4_999));
  expect(await read(log, 5_000)).toEqual([]);
});

test("shows the agent's raw messages and does not store them", async () => {
  const { store } = testStore();
  const log = store.open("ses_a", about());
  const [event] = stamped("ses_a", [{ ...delta("x"), raw: { secret: 1 } }, ...conversation("p")]);
  log.append(new EventBatch([event!, ...stamped("ses_a", conversation("p"), 2)]));
  log.end();
  expect((await read(log))[0]).toEqual(event);
  expect(store.sessions.lines("ses_a")[0]).toBe(JSON.stringify({ ...event, raw: undefined }));
});

test("does not keep a session without a prompt", () => {
  const { store } = testStore();
  const log = store.open("ses_a", about());
  log.append(new EventBatch(stamped("ses_a", conversation("p").slice(0, 1))));
  log.end();
  expect(store.sessions.get("ses_a")).toBeUndefined();
  expect(store.leases.all()).toEqual([]);
});

test("ends a reader that returns early, and a reader that starts after the log has ended", async () => {
  const { store } = testStore();
  const log = store.open("ses_a", about());
  const reader = log.read(0);
  const next = reader.next();
  await reader.return?.();
  expect(await next).toEqual({ value: undefined, done: true });
  log.append(new EventBatch(stamped("ses_a", conversation("p"))));
  log.end();
  log.end();
  expect((await read(log)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
});

test("continues in memory when writing fails, reports it, and writes everything later", async () => {
  const { store, folder } = testStore();
  const said: string[] = [];
  const log = store.open("ses_a", about({ onTrouble: (message) => said.push(message) }));
  const [first, ...others] = stamped("ses_a", conversation("p", [delta("x")]));
  log.append(new EventBatch([first!]));
  await rest();
  // The error that SQLite throws on a full disk.
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const blocker = new DatabaseSync(`${folder}/reins.db`);
  blocker.exec("ALTER TABLE events RENAME TO away");
  log.append(new EventBatch(others));
  await rest();
  expect(said).toEqual([
    expect.stringMatching(/^The session cannot be stored, because .*\. It continues in memory\.$/),
  ]);
  const reader = log.read(1);
  expect(await reader.next()).toMatchObject({ value: { events: others } });
  expect(log.acked).toBe(others.at(-1)!.seq);
  blocker.exec("ALTER TABLE away RENAME TO events");
  blocker.close();
  log.end();
  await rest();
  expect(said[1]).toMatch("stored again");
  expect(store.sessions.read("ses_a")).toEqual([first, ...others]);
});

test.each([
  ["taken over", (store: Store) => store.leases.take("ses_a", { ...owner, run: "run-2" }, owner.run)],
  ["removed", (store: Store) => store.sessions.remove("ses_a")],
])("stops writing a session that was %s by another process", async (what, happens) => {
  const { store, folder } = testStore();
  const said: string[] = [];
  const log = store.open("ses_a", about({ onTrouble: (message) => said.push(message) }));
  const [first, second, ...others] = stamped("ses_a", conversation("p", [delta("x")]));
  log.append(new EventBatch([first!, second!]));
  await rest();
  happens(storeIn(folder));
  const kept = store.sessions.get("ses_a")?.lastSeq;
  log.append(new EventBatch(others));
  await rest();
  log.end();
  await rest();
  expect(said).toEqual([
    `Session ses_a was ${what} by another process. New events are not stored. The session continues in memory.`,
  ]);
  expect(store.sessions.get("ses_a")?.lastSeq).toBe(kept);
  expect(await read(log, 2)).toEqual(others);
});
