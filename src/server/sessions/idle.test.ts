import { expect, onTestFinished, test, vi } from "vitest";
import { collectWhenIdle } from "./idle.ts";

test("collects garbage once after each burst of work, if there is enough to free", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let [work, bytes, collected] = [0, 100e6, 0];
  const collect = (): void => {
    collected++;
    bytes = 90e6;
  };
  const stop = collectWhenIdle({ done: () => work, bytes: () => bytes, collect });
  vi.advanceTimersByTime(60_000);
  expect(collected).toBe(1);
  for (let second = 0; second < 60; second++) {
    work++;
    bytes = 130e6;
    vi.advanceTimersByTime(1_000);
  }
  expect(collected).toBe(1);
  vi.advanceTimersByTime(60_000);
  expect(collected).toBe(2);
  work++;
  bytes += 1e6;
  vi.advanceTimersByTime(60_000);
  expect(collected).toBe(2);
  stop();
});

test("makes V8 collect garbage", async () => {
  const left = new WeakRef([1]);
  // An object stays reachable until the end of the task that looked at it.
  await new Promise((resolve) => setImmediate(resolve));
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const stop = collectWhenIdle({ done: () => 0 });
  vi.advanceTimersByTime(5_000);
  stop();
  expect(left.deref()).toBeUndefined();
});
