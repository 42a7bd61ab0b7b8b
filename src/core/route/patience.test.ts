import { expect, it, vi } from "vitest";
import { waitingWords, waitUntil } from "./patience.ts";

it("waits until then, and no longer than somebody wants it", async () => {
  vi.useFakeTimers();
  try {
    const wanted = new AbortController();
    const [first, second] = [waitUntil(Date.now() + 1000, wanted.signal), waitUntil(Date.now() + 9000, wanted.signal)];
    await vi.advanceTimersByTimeAsync(1000);
    expect(await first).toBe(true);
    wanted.abort();
    expect(await second).toBe(false);
    expect(await waitUntil(Date.now(), wanted.signal)).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

it("does not wait for what is over", async () => {
  expect(await waitUntil(Date.now() - 5000, new AbortController().signal)).toBe(true);
});

it("says until when", () => {
  expect(waitingWords("Puppet", Date.UTC(2026, 10, 15))).toContain("2026-11-15T00:00:00.000Z");
});
