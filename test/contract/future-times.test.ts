import { expect, test } from "vitest";
import { hideFutureTimes, showFutureTimes } from "./recordings.ts";

const then = Date.UTC(2026, 10, 16);
const later = Date.UTC(2027, 3, 1);

test("keeps a future time at the same distance in every replay", () => {
  const line = JSON.stringify({ resetsAt: then / 1000 + 3600, next: [then + 3_600_000], n: 12 });
  const kept = hideFutureTimes(line, then);
  expect(kept).toBe('{"resetsAt":"{in 3600 s}","next":["{in 3600000 ms}"],"n":12}');
  expect(JSON.parse(showFutureTimes(kept, later))).toEqual({
    resetsAt: later / 1000 + 3600,
    next: [later + 3_600_000],
    n: 12,
  });
});

test("keeps past times, near times and numbers that are not times", () => {
  const line = JSON.stringify({ created: then - 5, soon: then + 5_000, id: 9_999_999_999, text: "1794872416000" });
  expect(hideFutureTimes(line, then)).toBe(line);
});

test("keeps digits inside a text, so that the line stays JSON", () => {
  const inside = JSON.stringify({ resetsAt: then / 1000 + 3600, text: "" });
  const line = JSON.stringify({ body: inside, text: `[${then + 3_600_000}]` });
  expect(hideFutureTimes(line, then)).toBe(line);
  expect(showFutureTimes(line, later)).toBe(line);
});
