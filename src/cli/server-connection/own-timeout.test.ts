import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { ownTimeout } from "./remote.ts";

test("time in which nothing could be seen does not count", async () => {
  const signal = ownTimeout(200);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
  await setImmediate();
  await setImmediate();
  expect(signal.aborted).toBe(false);
});

test("the rest does", async () => {
  const keep = setInterval(() => {}, 1_000);
  await once(ownTimeout(100), "abort");
  clearInterval(keep);
});
