import { expect, test } from "vitest";
import { overlap } from "./translate-stream.ts";

test.for([
  ["A whole ans", "wer.", true, 0],
  ["A whole ans", "A whole answer.", true, 11],
  ["A whole answer so far", "so far and on", true, 6],
  // Too short to be a repetition.
  ["one two", "two three", true, 0],
  // All the text before, so it counts although it is short.
  ["on", "on and on", true, 2],
  ["", "something", true, 0],
  ["A whole ans", "A who", false, undefined],
  ["A whole ans", "A who", true, 0],
  ["A whole ans", "A whole answer", false, 11],
] as const)("after %j, %j (whole: %j) repeats %j characters", ([before, after, isWhole, repeats]) => {
  expect(overlap(before, after, isWhole)).toBe(repeats);
});
