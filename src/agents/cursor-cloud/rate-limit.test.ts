import { expect, test } from "vitest";
import { RateLimit, backoff, retryAfter } from "./rate-limit.ts";

function clocked() {
  let now = 0;
  const slept: number[] = [];
  const sleep = async (ms: number): Promise<void> => {
    slept.push(ms);
    now += ms;
  };
  return { clock: { now: () => now, sleep }, slept, pass: (ms: number) => (now += ms) };
}

test("makes early requests wait until the minute has passed, for each endpoint separately", async () => {
  const { clock, slept } = clocked();
  const pace = new RateLimit(clock);
  for (let index = 0; index < 20; index++) await pace.turn("a", { perMinute: 20 });
  await pace.turn("b", { perMinute: 20 });
  expect(slept).toEqual([]);
  await pace.turn("a", { perMinute: 20 });
  expect(slept).toEqual([60_000]);
});

test("refuses a wait that is too long and says until when", async () => {
  const { clock, pass } = clocked();
  const pace = new RateLimit(clock);
  for (let index = 0; index < 30; index++) {
    await pace.turn("r", { perMinute: 1, perHour: 30 });
    pass(60_000);
  }
  await expect(pace.turn("r", { perMinute: 1, perHour: 30 })).rejects.toMatchObject({
    code: "rate_limited",
    resetsAt: new Date(3_600_000).toISOString(),
  });
});

test("increases waits up to a limit", () => {
  const waits = [1, 2, 3, 9].map((attempt) => backoff(attempt, 1_000, () => 1));
  expect(waits).toEqual([1_000, 2_000, 4_000, 30_000]);
  expect(backoff(1, 1_000, () => 0)).toBe(750);
});

test.each([
  ["7", 7_000],
  ["0", 0],
  ["Thu, 01 Jan 1970 00:01:00 GMT", 50_000],
  ["Thu, 01 Jan 1970 00:00:01 GMT", 0],
  ["soon", undefined],
  ["-5", undefined],
  [undefined, undefined],
])("reads Retry-After %s as %s", (header, ms) => expect(retryAfter(header, 10_000)).toBe(ms));
