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

/** A process table that shows the child with each of `looks` in turn, and repeats the last one. */
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

test("waits for a process without a visible environment, and stops it once its mark appears", async () => {
  const exited = once(child, "exit");
  await endAll(claim, 0, showing({ hidden: true }, { hidden: true }, { hidden: true }, { marks }));
  expect(await exited).toEqual([null, "SIGKILL"]);
});

/** A clock that advances each time it is read. */
function withClock(stepMs: number): void {
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += stepMs));
  onTestFinished(() => clock.mockRestore());
}

test("waits for it on a busy machine too", async () => {
  withClock(200);
  const exited = once(child, "exit");
  await endAll(claim, 0, showing(...Array(8).fill({ hidden: true }), { marks }));
  expect(await exited).toEqual([null, "SIGKILL"]);
});

test("gives up on a process that stays in exec", async () => {
  withClock(200);
  const table = showing({ hidden: true });
  await endAll(claim, 0, table);
  expect(isAlive(child.pid ?? 0)).toBe(true);
  expect(table.reads).toBeGreaterThan(2);
});

test("does not wait for a process that is older than the leader", async () => {
  const table = showing({ hidden: true, start: "99" });
  await endAll(claim, 0, table);
  expect(isAlive(child.pid ?? 0)).toBe(true);
  expect(table.reads).toBe(2);
});

test("waits for a child whose start was only intended", async () => {
  const exited = once(child, "exit");
  await endRun("r1", { children: [], starting: true }, showing({}, {}, { marks }));
  expect(await exited).toEqual([null, "SIGKILL"]);
});

test.runIf(process.platform === "linux")(
  "marks no process as hidden once it runs a program, with or without an environment",
  async () => {
    const bare = spawn("/bin/sleep", ["60"], { stdio: "ignore", env: {} });
    try {
      const look = async () => {
        const all = await processTable().read();
        return { all, found: all.find(({ pid }) => pid === bare.pid) };
      };
      let { all: entries, found } = await look();
      // The process may still be in exec.
      while (found?.hidden === true) ({ all: entries, found } = await look());
      expect(found).toBeDefined();
      expect(entries.find(({ pid }) => pid === process.pid)?.hidden).toBeUndefined();
      // Kernel threads have no environment either.
      expect(entries.filter(({ hidden, parent }) => hidden === true && parent === 2)).toEqual([]);
    } finally {
      bare.kill("SIGKILL");
    }
  },
);
