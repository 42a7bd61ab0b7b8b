import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { isAlive } from "../../../test/support/processes.ts";
import { endAll } from "./end.ts";
import { endRun } from "./reap.ts";
import { processTable, type ProcessEntry, type ProcessTable } from "../table/table.ts";

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
    startOfChild: () => Promise.resolve("200"),
    host: () => "here",
  };
  return table;
}

test("what shows no environment for a moment is waited for, and ended when it turns out to be ours", async () => {
  const exited = once(child, "exit");
  await endAll(claim, 0, showing({ hidden: true }, { hidden: true }, { hidden: true }, { marks }));
  expect(await exited).toEqual([null, "SIGKILL"]);
});

/** A clock that goes on whenever it is looked at. */
function withClock(stepMs: number): void {
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += stepMs));
  onTestFinished(() => clock.mockRestore());
}

test("it is waited for on a machine that is busy, too", async () => {
  withClock(200);
  const exited = once(child, "exit");
  await endAll(claim, 0, showing(...Array(8).fill({ hidden: true }), { marks }));
  expect(await exited).toEqual([null, "SIGKILL"]);
});

test("what hangs on its way to another program is not waited for without an end", async () => {
  withClock(200);
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
  await endRun("r1", { children: [], starting: true }, showing({}, {}, { marks }));
  expect(await exited).toEqual([null, "SIGKILL"]);
});

test.runIf(process.platform === "linux")(
  "nobody is hidden who runs a program, with an environment or without",
  async () => {
    const bare = spawn("/bin/sleep", ["60"], { stdio: "ignore", env: {} });
    try {
      const look = async () => {
        const all = await processTable().read();
        return { all, found: all.find(({ pid }) => pid === bare.pid) };
      };
      let { all: entries, found } = await look();
      // It may still be on its way to its program.
      while (found?.hidden === true) ({ all: entries, found } = await look());
      expect(found).toBeDefined();
      expect(entries.find(({ pid }) => pid === process.pid)?.hidden).toBeUndefined();
      // Parts of the kernel have none either.
      expect(entries.filter(({ hidden, parent }) => hidden === true && parent === 2)).toEqual([]);
    } finally {
      bare.kill("SIGKILL");
    }
  },
);
