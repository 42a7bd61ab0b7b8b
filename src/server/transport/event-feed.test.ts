import { expect, onTestFinished, test, vi } from "vitest";
import { EventBatch } from "../../core/log/event-batch.ts";
import type { ReinsEvent } from "../../events/types.ts";
import { Feed } from "./event-feed.ts";

function event(seq: number, text = "x"): ReinsEvent {
  const at = { v: 1, seq, time: "2026-01-01T00:00:00.000Z", sessionId: "ses_1", agent: "demo" } as const;
  return { ...at, type: "message.delta", messageId: "m", text };
}

/** A log with all events up to a seq. */
function logUpTo(last: () => number, text = "x"): (after: number, limit: number) => Promise<readonly string[]> {
  return async (after, limit) =>
    Array.from({ length: Math.max(0, Math.min(limit, last() - after)) }, (_none, index) =>
      JSON.stringify(event(after + index + 1, text)),
    );
}

async function readTo(feed: Feed, after: number, last: number): Promise<number[]> {
  const leaving = new AbortController();
  const seen: number[] = [];
  for await (const { json } of feed.frames(after, leaving.signal)) {
    seen.push(...(JSON.parse(json) as ReinsEvent[]).map(({ seq }) => seq));
    if (seen.at(-1) === last) break;
  }
  return seen;
}

const upTo = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_none, index) => from + index + 1);

test("gives readers from any position the logged events, then the new ones", async () => {
  const feed = new Feed(
    2_500,
    logUpTo(() => 2_500),
  );
  const readers = [0, 700, 2_499, 2_500].map((after) => readTo(feed, after, 2_600).then((seen) => ({ after, seen })));
  for (const seq of upTo(2_500, 2_600)) feed.push(new EventBatch([event(seq)]));
  for (const { after, seen } of await Promise.all(readers)) expect(seen).toEqual(upTo(after, 2_600));
});

test("shares one frame among readers that keep up", async () => {
  const feed = new Feed(
    0,
    logUpTo(() => 0),
  );
  const one = feed.frames(0, new AbortController().signal).next();
  const other = feed.frames(0, new AbortController().signal).next();
  for (const seq of upTo(0, 10)) feed.push(new EventBatch([event(seq)]));
  const frames = [await one, await other].map(({ value }) => value);
  expect(frames[0]).toMatchObject({ last: 10 });
  expect(frames[1]).toBe(frames[0]);
});

test("groups events into one frame and delays them by at most 16 ms", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const feed = new Feed(
    0,
    logUpTo(() => 0),
  );
  const frames = feed.frames(0, new AbortController().signal);
  const first = frames.next();
  for (const seq of upTo(0, 500)) feed.push(new EventBatch([event(seq)]));
  expect(feed.lastSeq).toBe(0);
  await vi.advanceTimersByTimeAsync(16);
  expect((await first).value).toMatchObject({ last: 500 });
  const second = frames.next();
  feed.push(new EventBatch([event(501)]));
  await vi.advanceTimersByTimeAsync(16);
  expect((await second).value).toMatchObject({ last: 501 });
});

test("sends the first event after a silence, and awaited events, at once", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const feed = new Feed(
    0,
    logUpTo(() => 0),
  );
  const nextTick = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);
  feed.push(new EventBatch([event(1)]));
  await nextTick();
  expect(feed.lastSeq).toBe(1);
  feed.push(new EventBatch([event(2)]));
  await nextTick();
  expect(feed.lastSeq).toBe(1);
  feed.push(new EventBatch([{ ...event(3), type: "turn.completed" } as ReinsEvent]));
  await nextTick();
  expect(feed.lastSeq).toBe(3);
});

test("ends the frames of a removed session", async () => {
  const feed = new Feed(
    0,
    logUpTo(() => 0),
  );
  const next = feed.frames(0, new AbortController().signal).next();
  feed.end();
  expect(await next).toMatchObject({ done: true });
});

test("reads events that no longer fit in memory from the log", async () => {
  const text = "y".repeat(100_000);
  let last = 0;
  const feed = new Feed(
    0,
    logUpTo(() => last, text),
  );
  const shown = readTo(feed, 0, 100);
  for (const seq of upTo(0, 100)) feed.push(new EventBatch([event(seq, text)]));
  last = 100;
  await shown;
  expect(await readTo(feed, 0, 100)).toEqual(upTo(0, 100));
});

test("shows no event twice, and finds events written by another process", async () => {
  let last = 3;
  const feed = new Feed(
    3,
    logUpTo(() => last),
  );
  feed.push(new EventBatch([event(3)]));
  const seen = readTo(feed, 0, 7);
  last = 7;
  feed.grown(7);
  expect(await seen).toEqual(upTo(0, 7));
});

test("ends a waiting reader when it leaves", async () => {
  const leaving = new AbortController();
  const frames = new Feed(
    0,
    logUpTo(() => 0),
  ).frames(0, leaving.signal);
  const next = frames.next();
  leaving.abort();
  expect(await next).toMatchObject({ done: true });
});

test("sends the remaining events when it finishes, then ends", async () => {
  const feed = new Feed(
    3,
    logUpTo(() => 3),
  );
  const seen: number[] = [];
  const reading = (async () => {
    for await (const { last } of feed.frames(0, new AbortController().signal)) seen.push(last);
  })();
  feed.push(new EventBatch([event(4)]));
  feed.finish();
  await reading;
  expect(seen.at(-1)).toBe(4);
});
