import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startOwner } from "../../../test/support/owned.ts";
import {
  isAlive,
  marked,
  shellScript,
  temporaryFolder,
  testProcesses,
  until,
} from "../../../test/support/processes.ts";
import { processTable } from "../table/table.ts";

const table = processTable();
let folder: ReturnType<typeof temporaryFolder>;
let strangers: ChildProcess[];
beforeEach(() => {
  folder = temporaryFolder();
  strangers = [];
});
afterEach(() => {
  for (const stranger of strangers) stranger.kill("SIGKILL");
  folder[Symbol.dispose]();
});

/** A process that does not belong to Reins, or only appears to. */
function stranger(env: NodeJS.ProcessEnv = {}): number {
  const child = spawn("sleep", ["60"], { detached: true, stdio: "ignore", env: { PATH: process.env["PATH"], ...env } });
  strangers.push(child);
  return child.pid ?? 0;
}

/** A ledger as a dead Reins leaves it. Pid 2 is a kernel thread or no process. */
function ledger(run: string, owner: object, ...lines: unknown[]): string {
  const path = join(folder.path, "run", `${run}.ndjson`);
  mkdirSync(join(folder.path, "run"), { recursive: true });
  const first = { run, pid: 2, start: "never", place: table.host(), ...owner };
  writeFileSync(
    path,
    [first, ...lines].map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n") + "\n",
  );
  return path;
}

const reap = (): Promise<void> => testProcesses(folder.path).reap();

describe.runIf(process.platform === "linux")("the reaper", () => {
  test.each([[1], [2]])(
    "ends the children of a killed Reins without a guardian, with %i reapers at once",
    async (reapers) => {
      const run = `reap-test-${process.pid}-${reapers}`;
      const script = shellScript(
        folder.path,
        "agent",
        "trap '' TERM; setsid sleep 60 & echo ready; while :; do sleep 60; done",
      );
      const owner = startOwner({ home: folder.path, run, guardian: false, script, count: 2 });
      expect(await owner.next()).toBe("ready");
      await until(() => marked(run).length === 6, "all have started");
      await reap();
      expect(marked(run)).toHaveLength(6);
      await owner.kill("SIGKILL");
      await Promise.all(Array.from({ length: reapers }, reap));
      expect(marked(run)).toEqual([]);
      expect(readdirSync(join(folder.path, "run"))).toEqual([]);
    },
  );

  test("ends the group of a recorded leader with a matching start time", async () => {
    const pid = stranger();
    ledger("r1", {}, { child: "c", agent: "a", pid, start: await table.startOf(pid) });
    await reap();
    expect(isAlive(pid)).toBe(false);
  });

  test("spares a process with another start time, without one, or recorded as gone", async () => {
    const pid = stranger();
    const start = await table.startOf(pid);
    const paths = [
      ledger("r1", {}, { child: "c", agent: "a", pid, start: "12345" }),
      ledger("r2", {}, { child: "c", agent: "a", pid }),
      ledger("r3", {}, { child: "c", agent: "a", pid, start }, { child: "c", agent: "a", gone: true }),
    ];
    await reap();
    expect(isAlive(pid)).toBe(true);
    expect(paths.filter(existsSync)).toEqual([]);
  });

  test("spares processes of a living owner, of another machine and of the enclosing run", async () => {
    const own = await table.startOf(process.pid);
    const runs = ["living", "elsewhere", "around-us"];
    const pids = runs.map((run) => stranger({ REINS_RUN: run }));
    const paths = [
      ledger("living", { pid: process.pid, start: own }),
      ledger("elsewhere", { place: "another machine" }),
      ledger("around-us", {}),
    ];
    process.env["REINS_RUN"] = "inner,around-us";
    try {
      await reap();
    } finally {
      delete process.env["REINS_RUN"];
    }
    expect(pids.map(isAlive)).toEqual([true, true, true]);
    expect(paths.map(existsSync)).toEqual([true, true, true]);
  });

  test("treats an owner with a reused pid as dead, and checks one without a start time by its pid", async () => {
    const pid = stranger({ REINS_RUN: "reused" });
    const path = ledger("reused", { pid: process.pid, start: "1" });
    const alive = ledger("unknown", { pid: process.pid, start: undefined });
    const dead = ledger("unknown-dead", { pid: 4_194_304, start: undefined });
    await reap();
    expect(isAlive(pid)).toBe(false);
    expect([path, alive, dead].map(existsSync)).toEqual([false, true, false]);
  });
});

test("sets broken ledgers aside, skips broken lines and never throws", async () => {
  const run = join(folder.path, "run");
  mkdirSync(join(run, "folder.ndjson"), { recursive: true });
  for (const [name, text] of Object.entries({
    empty: "",
    garbage: "\0\u{fffd}{",
    array: "[]",
    none: "null",
    zero: '{"run":"x","pid":0,"place":"p"}',
  })) {
    writeFileSync(join(run, `${name}.ndjson`), text);
  }
  const partly = ledger(
    "partly",
    {},
    "{broken",
    "null",
    { child: "c", pid: -1, start: "1" },
    { child: "d", pid: "7" },
    '{"child":',
  );
  await reap();
  expect(existsSync(partly)).toBe(false);
  const aside = ["array", "empty", "garbage", "none", "zero"].map((name) => `${name}.ndjson.broken`);
  expect(readdirSync(run).sort()).toEqual([...aside, "folder.ndjson"].sort());
  await reap();
  expect(readdirSync(run).sort()).toEqual([...aside, "folder.ndjson"].sort());
});

test("removes ledgers of other machines and broken ones after a month", async () => {
  const path = ledger("elsewhere", { place: "another machine" });
  const aside = `${path}.broken`;
  writeFileSync(aside, "");
  for (const file of [path, aside]) utimesSync(file, 1, 1);
  await reap();
  expect([path, aside].map(existsSync)).toEqual([false, false]);
});

test("does nothing without a ledger", async () => {
  await testProcesses(join(folder.path, "nowhere")).reap();
  expect(existsSync(join(folder.path, "nowhere"))).toBe(false);
});

test.runIf(process.platform === "linux")("ends the process groups at exit without a guardian", async () => {
  const run = `reap-test-${process.pid}-exit`;
  const script = shellScript(folder.path, "agent", "trap '' TERM; echo ready; while :; do sleep 60; done");
  const owner = startOwner({ home: folder.path, run, guardian: false, script });
  expect(await owner.next()).toBe("ready");
  await owner.tell("throw");
  await until(() => marked(run).length === 0, "the group is gone");
});
