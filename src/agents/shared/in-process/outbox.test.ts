import { expect, test } from "vitest";
import type { AgentEvent } from "../../../events/types.ts";
import { Outbox } from "./outbox.ts";

const said = (text: string): AgentEvent => ({ type: "message.delta", messageId: "m", text });

test("delivers events of one tick as one batch and later ones separately", async () => {
  const outbox = new Outbox();
  const events = outbox[Symbol.asyncIterator]();
  const first = events.next();
  outbox.push(said("a"));
  await Promise.resolve();
  outbox.push(said("b"));
  expect((await first).value).toEqual([said("a"), said("b")]);
  const second = events.next();
  await new Promise((resolve) => setImmediate(resolve));
  outbox.push(said("c"));
  expect((await second).value).toEqual([said("c")]);
});

test("delivers waiting events before the end and accepts none after it", async () => {
  const outbox = new Outbox();
  outbox.push(said("a"));
  outbox.end();
  outbox.push(said("b"));
  const read: AgentEvent[] = [];
  for await (const batch of outbox) read.push(...batch);
  expect(read).toEqual([said("a")]);
});

test("wakes a waiting reader at the end", async () => {
  const outbox = new Outbox();
  const next = outbox[Symbol.asyncIterator]().next();
  outbox.end();
  expect(await next).toEqual({ value: undefined, done: true });
});

test("makes the writer wait while it is full until somebody reads", async () => {
  const outbox = new Outbox();
  outbox.push(said("x".repeat(1024 * 1024)));
  const room = outbox.room();
  expect(room).toBeDefined();
  await outbox[Symbol.asyncIterator]().next();
  await room;
  expect(outbox.room()).toBeUndefined();
});
