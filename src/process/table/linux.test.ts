import { expect, test } from "vitest";
import { startIn, statOf } from "./linux.ts";

/** Of a process with a name that is hard to read, whose environment is between these places. */
function line(begin: number, end: number, { state = "S", flags = 4194304 } = {}): string {
  const before = `12 (a) (b c)) ${state} 3 4 5 0 -1 ${flags} 207 0 0 0 0 0 0 0 20 0 1 0 6082535 2560000 337 1 94 95 140 0`;
  return `${before} 0 0 0 6 0 1 0 0 17 1 0 0 0 0 0 96 97 98 7100 7200 ${begin} ${end} 0\n`;
}

test("a process is read whatever its name is", () => {
  const entry = { pid: 12, parent: 3, group: 4, session: 5, start: "6082535" };
  expect(statOf(12, line(7200, 7300))).toEqual({ entry, hasProgram: true, isBare: false });
});

test("an empty environment is told from one that is not there yet", () => {
  expect(statOf(12, line(7200, 7200))?.isBare).toBe(true);
  expect(statOf(12, line(0, 0))).toMatchObject({ hasProgram: true, isBare: false });
  expect(statOf(12, line(0, 0, { flags: 2129984 }))).toMatchObject({ hasProgram: false });
});

test("the dead, and what is no such line, are nobody", () => {
  expect(statOf(12, line(0, 0, { state: "Z" }))).toBeUndefined();
  expect(statOf(12, "")).toBeUndefined();
});

test("when they were started is told of the dead as well", () => {
  expect([line(1, 2), line(0, 0, { state: "Z" }), ""].map(startIn)).toEqual(["6082535", "6082535", undefined]);
});
