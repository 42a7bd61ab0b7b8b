import { expect, test } from "vitest";
import { startIn, statOf } from "./linux.ts";

/** A stat line of a process with a name that is hard to parse and an environment at these addresses. */
function line(begin: number, end: number, { state = "S", flags = 4194304 } = {}): string {
  const before = `12 (a) (b c)) ${state} 3 4 5 0 -1 ${flags} 207 0 0 0 0 0 0 0 20 0 1 0 6082535 2560000 337 1 94 95 140 0`;
  return `${before} 0 0 0 6 0 1 0 0 17 1 0 0 0 0 0 96 97 98 7100 7200 ${begin} ${end} 0\n`;
}

test("parses a process with any name", () => {
  const entry = { pid: 12, parent: 3, group: 4, session: 5, start: "6082535" };
  expect(statOf(12, line(7200, 7300))).toEqual({ entry, hasProgram: true, isBare: false });
});

test("distinguishes an empty environment from one that is not set up yet", () => {
  expect(statOf(12, line(7200, 7200))?.isBare).toBe(true);
  expect(statOf(12, line(0, 0))).toMatchObject({ hasProgram: true, isBare: false });
  expect(statOf(12, line(0, 0, { flags: 2129984 }))).toMatchObject({ hasProgram: false });
});

test("returns undefined for a dead process and for an invalid line", () => {
  expect(statOf(12, line(0, 0, { state: "Z" }))).toBeUndefined();
  expect(statOf(12, "")).toBeUndefined();
});

test("reads the start time of a dead process too", () => {
  expect([line(1, 2), line(0, 0, { state: "Z" }), ""].map(startIn)).toEqual(["6082535", "6082535", undefined]);
});
