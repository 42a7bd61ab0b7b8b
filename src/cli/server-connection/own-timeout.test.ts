import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { ownTimeout } from "./remote.ts";

test("does not count time in which the process was blocked", async () => {
  const signal = ownTimeout(200);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
  await setImmediate();
  await setImmediate();
  expect(signal.aborted).toBe(false);
});

test("counts all other time", async () => {
  const keep = setInterval(() => {}, 1_000);
  await once(ownTimeout(100), "abort");
  clearInterval(keep);
});
