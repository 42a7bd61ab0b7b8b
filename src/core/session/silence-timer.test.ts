import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SilenceTimer } from "./silence-timer.ts";

let now = 0;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  vi.spyOn(performance, "now").mockImplementation(() => now);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function pass(ms: number): void {
  now += ms;
  vi.advanceTimersByTime(ms);
}

function watch(): { readonly timer: SilenceTimer; readonly told: unknown[] } {
  const told: unknown[] = [];
  const silent = (seconds: number, hung: boolean): void => void told.push([seconds, hung]);
  const timer = new SilenceTimer({ quietMs: 30_000, maxQuietMs: 60_000, shouldSpeak: () => true, silent });
  timer.start();
  return { timer, told };
}

test("reports silence once, then that the agent hangs", () => {
  const { told } = watch();
  pass(30_000);
  pass(30_000);
  pass(30_000);
  expect(told).toEqual([
    [30, false],
    [60, true],
  ]);
});

test("does not blame the agent for a suspended process: its output is read first", () => {
  const { timer, told } = watch();
  pass(29_000);
  // Suspended for ten minutes; the timer fires on resume, before anything is read.
  now += 600_000;
  pass(1_000);
  expect(told).toEqual([]);
  timer.heard();
  pass(29_000);
  expect(told).toEqual([]);
  timer.stop();
});

test("reports an agent that stays silent, without the suspended time", () => {
  const { told } = watch();
  now += 600_000;
  pass(30_000);
  expect(told).toEqual([]);
  pass(30_000);
  expect(told).toEqual([[60, true]]);
});
