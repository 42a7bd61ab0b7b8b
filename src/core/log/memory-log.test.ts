import { expect, test } from "vitest";
import { EventBatch } from "./event-batch.ts";
import type { ReinsEvent } from "../../events/types.ts";
import { createMemoryLog } from "./memory-log.ts";

function delta(seq: number, text = "x"): ReinsEvent {
  return { v: 1, seq, time: "", sessionId: "s", agent: "a", type: "message.delta", messageId: "m", text };
}

function logOf(waitingBytes = 1e6, memoryLogBytes = 1e6, unreadBytes = memoryLogBytes) {
  return createMemoryLog({ waitingBytes, memoryLogBytes, unreadBytes }).open("s");
}

async function seqs(batches: AsyncIterable<EventBatch>): Promise<number[]> {
  const seen: number[] = [];
  for await (const batch of batches) for (const event of batch.events) seen.push(event.seq);
  return seen;
}

test("gives a reader existing events, then new ones, until the end", async () => {
  const log = logOf();
  log.append(new EventBatch([delta(1), delta(2)]));
  const reading = seqs(log.read(0));
  log.append(new EventBatch([delta(3)]));
  await Promise.resolve();
  log.append(new EventBatch([delta(4)]));
  log.end();
  expect(await reading).toEqual([1, 2, 3, 4]);
});

test("resumes a reader after any seq, also inside a batch", async () => {
  const log = logOf();
  log.append(new EventBatch([delta(1), delta(2), delta(3)]));
  log.append(new EventBatch([delta(4)]));
  log.end();
  expect(await seqs(log.read(2))).toEqual([3, 4]);
  expect(await seqs(log.read(3))).toEqual([4]);
  expect(await seqs(log.read(9))).toEqual([]);
});

test("makes the writer wait for the slowest reader until that reader leaves", async () => {
  const log = logOf(1000);
  const slow = log.read(0);
  const fast = log.read(0);
  expect(log.room()).toBeUndefined();
  log.append(new EventBatch([delta(1, "y".repeat(2000))]));
  const wait = log.room();
  expect(wait).toBeInstanceOf(Promise);
  await fast.next();
  expect(log.room()).toBe(wait);
  await slow.return?.();
  void fast.next();
  await wait;
  expect(log.room()).toBeUndefined();
});

test("lets the writer continue when the reader has caught up", async () => {
  const log = logOf(1000);
  const reader = log.read(0);
  log.append(new EventBatch([delta(1, "y".repeat(2000))]));
  const wait = log.room();
  await reader.next();
  void reader.next();
  await wait;
});

test("drops the oldest events and never waits without readers", async () => {
  const log = logOf(1000, 3000);
  for (let seq = 1; seq <= 100; seq++) log.append(new EventBatch([delta(seq)]));
  expect(log.room()).toBeUndefined();
  log.end();
  await expect(log.read(0).next()).rejects.toMatchObject({ code: "invalid_input" });
  const kept = await seqs(log.read(95));
  expect(kept).toEqual([96, 97, 98, 99, 100]);
});

test("keeps unread events longer than read ones", async () => {
  const log = logOf(1e9, 1_000, 10_000);
  for (let seq = 1; seq <= 30; seq++) log.append(new EventBatch([delta(seq)]));
  const reader = log.read(0);
  for (let seq = 1; seq <= 30; seq++) expect((await reader.next()).value).toMatchObject({ events: [{ seq }] });
  const waits = reader.next();
  await expect(log.read(0).next()).rejects.toMatchObject({ code: "invalid_input" });
  log.end();
  expect((await waits).done).toBe(true);
  expect(await seqs(log.read(28))).toEqual([29, 30]);
});

test("keeps events for a slow reader when a fast one has read them", async () => {
  const log = logOf(1e9, 1_000, 10_000);
  const [slow, fast] = [log.read(0), log.read(0)];
  for (let seq = 1; seq <= 100; seq++) log.append(new EventBatch([delta(seq)]));
  log.end();
  expect(await seqs(fast)).toHaveLength(100);
  expect(await seqs(slow)).toHaveLength(100);
});

test("never drops events that a reader has not read", async () => {
  const log = logOf(1e9, 1000);
  const reading = log.read(0);
  for (let seq = 1; seq <= 100; seq++) log.append(new EventBatch([delta(seq)]));
  log.end();
  expect(await seqs(reading)).toHaveLength(100);
});

test("counts the serialised lines of a batch as memory", async () => {
  const log = logOf(1e9, 10_000);
  const reader = log.read(0);
  const size = delta(1, "x".repeat(1_000));
  for (let seq = 1; seq <= 8; seq++) log.append(new EventBatch([{ ...size, seq }]));
  // Eight batches fit until their lines are serialised.
  for (let seq = 1; seq <= 8; seq++) expect((await reader.next()).value.lines()).toHaveLength(1);
  const last = reader.next();
  await expect(log.read(0).next()).rejects.toMatchObject({ code: "invalid_input" });
  log.end();
  expect((await last).done).toBe(true);
  // No more than necessary is dropped: four fit with their lines.
  expect(await seqs(log.read(5))).toEqual([6, 7, 8]);
});

test("releases a waiting writer and reader at the end", async () => {
  const log = logOf(100);
  const stopped = log.read(0);
  log.append(new EventBatch([delta(1, "z".repeat(500))]));
  const wait = log.room();
  const reader = log.read(1).next();
  log.end();
  await wait;
  expect((await reader).done).toBe(true);
  await stopped.return?.();
  expect((await stopped.next()).done).toBe(true);
});

test("acknowledges appended events at once", () => {
  const log = logOf();
  const acked: number[] = [];
  log.onAck((seq) => acked.push(seq));
  log.append(new EventBatch([delta(1), delta(2)]));
  log.append(new EventBatch([delta(3)]));
  expect(acked).toEqual([2, 3]);
  expect(log.acked).toBe(3);
});

test("a reader of later events neither pauses the agent nor keeps old events", async () => {
  const log = logOf(5_000, 5_000);
  const reader = log.read(15);
  for (let seq = 1; seq <= 14; seq++) log.append(new EventBatch([delta(seq, "x".repeat(1_000))]));
  expect(log.room()).toBeUndefined();
  await expect(seqs(log.read(0))).rejects.toMatchObject({ code: "invalid_input" });
  log.append(new EventBatch([delta(15), delta(16)]));
  expect((await reader.next()).value.events).toMatchObject([{ seq: 16 }]);
});
