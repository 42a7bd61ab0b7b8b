import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { memoryOf } from "./table.ts";

test.runIf(process.platform === "linux")("measures the memory of a process group", async () => {
  const script =
    "globalThis.kept = Buffer.alloc(64 * 1024 * 1024, 1); console.log('ready'); setInterval(() => {}, 1000)";
  const child = spawn(process.execPath, ["-e", script], { detached: true, stdio: ["ignore", "pipe", "ignore"] });
  try {
    await once(child.stdout, "data");
    const used = (await memoryOf(new Set([child.pid!]))) ?? 0;
    expect(used).toBeGreaterThan(64 * 1024 * 1024);
    expect(used).toBeLessThan(1024 * 1024 * 1024);
  } finally {
    child.kill("SIGKILL");
  }
});

test("returns 0 for no groups, and undefined on other systems or without /proc", async () => {
  expect(await memoryOf(new Set(), "linux")).toBe(0);
  expect(await memoryOf(new Set([1]), "darwin")).toBeUndefined();
  expect(await memoryOf(new Set([1]), "linux", "/nowhere")).toBeUndefined();
});
