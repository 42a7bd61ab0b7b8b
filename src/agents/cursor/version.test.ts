import { expect, test } from "vitest";
import { isAtLeast } from "../shared/version.ts";
import { cursorVersionIn } from "./version.ts";

test.for([
  ["2026.10.01-e373342\n", "2026.10.01-e373342"],
  ["2026.06.15-18-00-12-6f5a2cf", "2026.06.15-18-00-12-6f5a2cf"],
  ["grok-build 0.4.1", undefined],
  ["agent version 2.1.0", undefined],
  ["1.2.3", undefined],
  ["2026.10.01", undefined],
  ["my agent 2026.10.01-e373342", undefined],
  ["", undefined],
] as const)("%j is the version %s", ([said, version]) => {
  expect(cursorVersionIn(said)).toBe(version);
});

test("a day is compared as numbers", () => {
  expect(isAtLeast("2026.10.01-e373342", "2026.09.30")).toBe(true);
  expect(isAtLeast("2026.09.02-c22c1a3", "2026.09.30")).toBe(false);
});
