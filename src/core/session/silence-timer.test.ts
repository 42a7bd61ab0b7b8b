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

test("silence is told once, and then the agent counts as hung", () => {
  const { told } = watch();
  pass(30_000);
  pass(30_000);
  pass(30_000);
  expect(told).toEqual([
    [30, false],
    [60, true],
  ]);
});

test("an agent is not hung because this process was stopped: what it said meanwhile is read first", () => {
  const { timer, told } = watch();
  pass(29_000);
  // Stopped for ten minutes; the timer fires as soon as it goes on, before anything is read.
  now += 600_000;
  pass(1_000);
  expect(told).toEqual([]);
  timer.heard();
  pass(29_000);
  expect(told).toEqual([]);
  timer.stop();
});

test("one that is still silent after that is told of, without the time in which nobody listened", () => {
  const { told } = watch();
  now += 600_000;
  pass(30_000);
  expect(told).toEqual([]);
  pass(30_000);
  expect(told).toEqual([[60, true]]);
});
