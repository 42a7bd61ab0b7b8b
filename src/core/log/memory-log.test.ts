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

test("a reader sees what is there, then what follows, until the end", async () => {
  const log = logOf();
  log.append(new EventBatch([delta(1), delta(2)]));
  const reading = seqs(log.read(0));
  log.append(new EventBatch([delta(3)]));
  await Promise.resolve();
  log.append(new EventBatch([delta(4)]));
  log.end();
  expect(await reading).toEqual([1, 2, 3, 4]);
});

test("a reader resumes after any seq, inside a batch too", async () => {
  const log = logOf();
  log.append(new EventBatch([delta(1), delta(2), delta(3)]));
  log.append(new EventBatch([delta(4)]));
  log.end();
  expect(await seqs(log.read(2))).toEqual([3, 4]);
  expect(await seqs(log.read(3))).toEqual([4]);
  expect(await seqs(log.read(9))).toEqual([]);
});

test("the writer waits for the slowest reader, and no longer when it leaves", async () => {
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

test("the writer goes on when the reader has caught up", async () => {
  const log = logOf(1000);
  const reader = log.read(0);
  log.append(new EventBatch([delta(1, "y".repeat(2000))]));
  const wait = log.room();
  await reader.next();
  void reader.next();
  await wait;
});

test("without readers nobody waits, and the oldest is forgotten", async () => {
  const log = logOf(1000, 3000);
  for (let seq = 1; seq <= 100; seq++) log.append(new EventBatch([delta(seq)]));
  expect(log.room()).toBeUndefined();
  log.end();
  await expect(log.read(0).next()).rejects.toMatchObject({ code: "invalid_input" });
  const kept = await seqs(log.read(95));
  expect(kept).toEqual([96, 97, 98, 99, 100]);
});

test("what nobody has read is kept for longer than what somebody has", async () => {
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

test("a reader that is behind holds what it has not read, whoever else has read it", async () => {
  const log = logOf(1e9, 1_000, 10_000);
  const [slow, fast] = [log.read(0), log.read(0)];
  for (let seq = 1; seq <= 100; seq++) log.append(new EventBatch([delta(seq)]));
  log.end();
  expect(await seqs(fast)).toHaveLength(100);
  expect(await seqs(slow)).toHaveLength(100);
});

test("what a reader has not read is never forgotten", async () => {
  const log = logOf(1e9, 1000);
  const reading = log.read(0);
  for (let seq = 1; seq <= 100; seq++) log.append(new EventBatch([delta(seq)]));
  log.end();
  expect(await seqs(reading)).toHaveLength(100);
});

test("serialised lines that a batch keeps count as memory", async () => {
  const log = logOf(1e9, 10_000);
  const reader = log.read(0);
  const size = delta(1, "x".repeat(1_000));
  for (let seq = 1; seq <= 8; seq++) log.append(new EventBatch([{ ...size, seq }]));
  // Eight such batches fit, until somebody has their lines made.
  for (let seq = 1; seq <= 8; seq++) expect((await reader.next()).value.lines()).toHaveLength(1);
  const last = reader.next();
  await expect(log.read(0).next()).rejects.toMatchObject({ code: "invalid_input" });
  log.end();
  expect((await last).done).toBe(true);
  // No more than needed is dropped: four fit with their lines.
  expect(await seqs(log.read(5))).toEqual([6, 7, 8]);
});

test("the end releases a waiting writer and a waiting reader", async () => {
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

test("what is appended is acknowledged at once", () => {
  const log = logOf();
  const acked: number[] = [];
  log.onAck((seq) => acked.push(seq));
  log.append(new EventBatch([delta(1), delta(2)]));
  log.append(new EventBatch([delta(3)]));
  expect(acked).toEqual([2, 3]);
  expect(log.acked).toBe(3);
});

test("a reader of later events only does not pause the agent, nor keep the old ones", async () => {
  const log = logOf(5_000, 5_000);
  const reader = log.read(15);
  for (let seq = 1; seq <= 14; seq++) log.append(new EventBatch([delta(seq, "x".repeat(1_000))]));
  expect(log.room()).toBeUndefined();
  await expect(seqs(log.read(0))).rejects.toMatchObject({ code: "invalid_input" });
  log.append(new EventBatch([delta(15), delta(16)]));
  expect((await reader.next()).value.events).toMatchObject([{ seq: 16 }]);
});
