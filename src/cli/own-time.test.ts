import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { afterOwnTime } from "./own-time.ts";

test("time in which nothing could be seen does not count", async () => {
  const signal = afterOwnTime(200);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
  await setImmediate();
  await setImmediate();
  expect(signal.aborted).toBe(false);
});

test("the rest does", async () => {
  const keep = setInterval(() => {}, 1_000);
  await once(afterOwnTime(100), "abort");
  clearInterval(keep);
});
