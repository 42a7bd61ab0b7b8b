import { expect, it } from "vitest";
import { ago, daysAgo, until } from "./format.ts";

const now = Date.parse("2026-11-16T12:00:00Z");
const before = (ms: number) => new Date(now - ms).toISOString();

it.each([
  [5_000, "now"],
  [-5_000, "now"],
  [5 * 60_000, "5 min"],
  [3 * 3_600_000, "3 h"],
  [2 * 86_400_000, "2 d"],
])("formats %i ms ago as %s", (ms, words) => expect(ago(before(ms), now)).toBe(words));

it("shows a date when it is long ago, with the year if it differs", () => {
  expect(ago(before(20 * 86_400_000), now)).not.toContain("2026");
  expect(ago(before(500 * 86_400_000), now)).toContain("2025");
  expect(ago("no time", now)).toBe("");
});

it.each([
  [30_000, "in 1 min"],
  [59 * 60_000, "in 59 min"],
  [3_600_000 + 10 * 60_000, "in 1 h 10 min"],
  [50 * 3_600_000, "in 2 d 2 h"],
  [-1, undefined],
])("formats %i ms from now", (ms, words) => expect(until(now + ms, now)).toBe(words));

it("counts calendar days", () => {
  const noon = new Date(2026, 10, 16, 0, 30).getTime();
  expect(daysAgo(new Date(2026, 10, 15, 23, 50).toISOString(), noon)).toBe(1);
  expect(daysAgo(new Date(2026, 10, 16, 0, 10).toISOString(), noon)).toBe(0);
});
