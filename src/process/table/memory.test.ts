import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { memoryOf } from "./table.ts";

test.runIf(process.platform === "linux")("the memory of a group is what its processes have", async () => {
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

test("no group has none, and elsewhere, or without /proc, nothing is known", async () => {
  expect(await memoryOf(new Set(), "linux")).toBe(0);
  expect(await memoryOf(new Set([1]), "darwin")).toBeUndefined();
  expect(await memoryOf(new Set([1]), "linux", "/nowhere")).toBeUndefined();
});
