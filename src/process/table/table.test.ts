import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { isAlive } from "../../../test/support/processes.ts";
import { linuxTable } from "./linux.ts";
import { psTable } from "./ps.ts";
import { processTable } from "./table.ts";

for (const [name, table] of [
  ["/proc", linuxTable],
  ["ps", psTable],
] as const) {
  test.skipIf(process.platform === "win32" || (name === "/proc" && process.platform !== "linux"))(
    `${name} shows a child in its own group until it is gone`,
    async () => {
      // Longer than one read, with the mark at the end.
      const env = {
        PATH: process.env["PATH"],
        FILLER_1: "x".repeat(100_000),
        FILLER_2: "x".repeat(100_000),
        REINS_RUN: "run-of-table-test",
      };
      const child = spawn("sleep", ["60"], { detached: true, stdio: "ignore", env });
      const pid = child.pid ?? 0;
      const entry = (await table.read()).find((one) => one.pid === pid);
      expect(entry).toMatchObject({ pid, parent: process.pid, group: pid, session: pid });
      expect(entry?.marks?.runs).toEqual(name === "ps" ? undefined : ["run-of-table-test"]);
      expect(entry?.start).toBe(await table.startOf(pid));
      expect(await table.startOf(process.pid)).not.toBeUndefined();
      child.kill("SIGKILL");
      await once(child, "exit");
      expect(await table.startOf(pid)).toBeUndefined();
      expect(table.host()).toBe(table.host());
    },
  );
}

test("returns nothing on an unsupported platform", async () => {
  expect(processTable("darwin")).toBe(psTable);
  expect(processTable("linux")).toBe(linuxTable);
  expect(await processTable("win32").read()).toEqual([]);
  expect(await processTable("win32").startOf(process.pid)).toBeUndefined();
  expect(processTable("win32").host()).toBe("windows");
});

test.runIf(process.platform === "linux")(
  "knows the start time of a child that ended before its exit was reported",
  async () => {
    const { pid = 0 } = spawn("/bin/true", { stdio: "ignore" });
    // Block the event loop, so that the exit is not reported.
    const deadline = Date.now() + 10_000;
    while (isAlive(pid) && Date.now() < deadline) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    const table = processTable();
    const [alive, started] = [table.startOf(pid), table.startOfChild(pid)];
    expect(await alive).toBeUndefined();
    expect(await started).toMatch(/^\d+$/);
  },
);
