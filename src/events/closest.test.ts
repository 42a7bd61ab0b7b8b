import { expect, test } from "vitest";
import { closest } from "./closest.ts";

test.each([
  ["dmeo", "demo"],
  ["demoo", "demo"],
  ["Demo", "demo"],
  ["cluade", "claude"],
  ["claud", "claude"],
  ["xyz", undefined],
  ["", undefined],
])("%s: %s", (word, meant) => {
  expect(closest(word, ["demo", "claude", "qwen"])).toBe(meant);
});
