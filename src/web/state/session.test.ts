import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ReinsEvent } from "../../events/types.ts";
import { OpenSession } from "./session.ts";

const event = (seq: number, text: string): ReinsEvent => ({
  v: 1,
  seq,
  time: "2026-11-16T09:00:00.000Z",
  sessionId: "s",
  agent: "a",
  type: "message.delta",
  messageId: "m",
  text,
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("batches many events into one change, and is caught up once all stored events are read", () => {
  const session = new OpenSession("s");
  let changes = 0;
  session.store.subscribe(() => changes++);
  session.take([event(1, "a"), event(2, "b")]);
  session.expect(3);
  vi.runAllTimers();
  expect([changes, session.store.get().caughtUp]).toEqual([1, false]);
  session.take([event(2, "b"), event(3, "c")]);
  vi.runAllTimers();
  expect([changes, session.store.get().caughtUp, session.lastSeq]).toEqual([2, true, 3]);
  expect(session.store.get().conversation.entries).toMatchObject([{ text: "abc" }]);
});

test("passes each event to a listener once, and only events after it subscribed", () => {
  const session = new OpenSession("s");
  const heard: number[] = [];
  session.onEvent(({ seq }) => heard.push(seq));
  session.take([event(1, "a")]);
  session.expect(1);
  session.take([event(1, "a"), event(2, "b")]);
  expect(heard).toEqual([2]);
});

test("reads a replaced log from the beginning", () => {
  const session = new OpenSession("s");
  session.take([event(5, "old")]);
  session.restart();
  session.take([event(1, "new")]);
  vi.runAllTimers();
  expect(session.store.get().conversation.entries).toMatchObject([{ text: "new" }]);
});
