import { expect, test } from "vitest";
import { ownedProcesses } from "./owned.ts";
import type { ProcessEntry } from "./table.ts";

const self = 900;
function entry(pid: number, fields: Partial<ProcessEntry> = {}): ProcessEntry {
  return { pid, parent: 1, group: pid, session: pid, start: `s${pid}`, ...fields };
}
const marks = (run: string, child = "c"): Pick<ProcessEntry, "marks"> => ({
  marks: { runs: [run], children: [child] },
});
const pids = (table: ProcessEntry[], claim: Parameters<typeof ownedProcesses>[1]): number[] =>
  ownedProcesses(table, claim, self).map(({ pid }) => pid);

test("claims processes with the mark of the run or of the child", () => {
  const table = [entry(10, marks("r", "c1")), entry(11, marks("r", "c2")), entry(12, marks("other")), entry(13)];
  expect(pids(table, { run: "r", leaders: [] })).toEqual([10, 11]);
  expect(pids(table, { child: "c2", leaders: [] })).toEqual([11]);
  expect(pids(table, { leaders: [] })).toEqual([]);
});

test("claims processes of an inner Reins for the outer run", () => {
  const table = [entry(10, { marks: { runs: ["inner", "outer"], children: ["i", "o"] } })];
  expect(pids(table, { run: "outer", leaders: [] })).toEqual([10]);
});

test("claims the group and session of a leader with a matching start time", () => {
  const table = [entry(10), entry(11, { group: 10, session: 10 }), entry(12, { session: 10 }), entry(13)];
  expect(pids(table, { leaders: [{ pid: 10, start: "s10" }] })).toEqual([10, 11, 12]);
});

test("never claims a group whose number was reused", () => {
  const table = [entry(10, { start: "later" }), entry(11, { group: 10, session: 10 })];
  for (const fresh of [true, false]) expect(pids(table, { leaders: [{ pid: 10, start: "s10" }], fresh })).toEqual([]);
  expect(pids(table, { leaders: [{ pid: 10, start: undefined }], fresh: true })).toEqual([]);
});

test("claims a group without its leader only right after the leader ended", () => {
  const table = [entry(11, { group: 10, session: 10 })];
  expect(pids(table, { leaders: [{ pid: 10, start: "s10" }] })).toEqual([]);
  expect(pids(table, { leaders: [{ pid: 10, start: "s10" }], fresh: true })).toEqual([11]);
});

test("claims descendants with another environment", () => {
  const table = [entry(12, { parent: 11 }), entry(10, marks("r")), entry(11, { parent: 10 }), entry(13)];
  expect(pids(table, { run: "r", leaders: [] })).toEqual([10, 11, 12]);
});

test("never claims this process, its ancestors, the init process, or anything through them", () => {
  const table = [
    entry(1, marks("r")),
    entry(800, marks("r")),
    entry(self, { parent: 800, ...marks("r") }),
    entry(901, { parent: self }),
  ];
  expect(pids(table, { run: "r", leaders: [] })).toEqual([]);
});
