import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isAlive } from "../../test/support/processes.ts";
import { endAll } from "./end.ts";
import { endRun } from "./reap.ts";
import { processTable, type ProcessEntry, type ProcessTable } from "./table.ts";

const claim = { child: "c1", leaders: [{ pid: 1, start: "100" }], fresh: true };
const marks = { runs: ["r1"], children: ["c1"] };

let child: ChildProcess;
beforeEach(() => {
  child = spawn("sleep", ["60"], { stdio: "ignore" });
});
afterEach(() => child.kill("SIGKILL"));

/** A table that shows the child so, one look after the other, and the last way for ever. */
function showing(...looks: Partial<ProcessEntry>[]): ProcessTable & { reads: number } {
  const pid = child.pid ?? 0;
  const entry = { pid, parent: 1, group: pid, session: pid, start: "200" };
  const table = {
    reads: 0,
    read: () => {
      const look = looks[Math.min(table.reads++, looks.length - 1)];
      return Promise.resolve(isAlive(pid) ? [{ ...entry, ...look }] : []);
    },
    startOf: () => Promise.resolve(isAlive(pid) ? "200" : undefined),
    place: () => "here",
  };
  return table;
}

test("what shows no environment for a moment is waited for, and ended when it turns out to be ours", async () => {
  const exited = once(child, "exit");
  await endAll(claim, 0, showing({ hidden: true }, { hidden: true }, { hidden: true }, { marks }));
  expect(await exited).toEqual([null, "SIGKILL"]);
});

test("what shows no environment for long has none, and is left alone", async () => {
  const table = showing({ hidden: true });
  await endAll(claim, 0, table);
  expect(isAlive(child.pid ?? 0)).toBe(true);
  expect(table.reads).toBeGreaterThan(2);
});

test("what was there before is not waited for", async () => {
  const table = showing({ hidden: true, start: "99" });
  await endAll(claim, 0, table);
  expect(isAlive(child.pid ?? 0)).toBe(true);
  expect(table.reads).toBe(2);
});

test("a start that was only intended is waited for", async () => {
  const exited = once(child, "exit");
  await endRun({ run: "r1", leaders: [], starting: true }, showing({}, {}, { marks }));
  expect(await exited).toEqual([null, "SIGKILL"]);
});

test.runIf(process.platform === "linux")("a process without an environment is hidden, others are not", async () => {
  const bare = spawn("/bin/sleep", ["60"], { stdio: "ignore", env: {} });
  try {
    const entries = await processTable().read();
    expect(entries.find(({ pid }) => pid === bare.pid)).toMatchObject({ hidden: true });
    expect(entries.find(({ pid }) => pid === process.pid)?.hidden).toBeUndefined();
    // Parts of the kernel have none either.
    expect(entries.filter(({ hidden, parent }) => hidden === true && parent === 2)).toEqual([]);
  } finally {
    bare.kill("SIGKILL");
  }
});
