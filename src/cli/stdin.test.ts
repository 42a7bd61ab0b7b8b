import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { devNull, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { stdinOf } from "./prompt.ts";

test("has nothing to read from the null device; reads files, other devices and a closed stdin as usual", () => {
  const folder = mkdtempSync(join(tmpdir(), "reins-stdin-"));
  writeFileSync(join(folder, "prompt"), "hello");
  const opened = [devNull, "/dev/zero", join(folder, "prompt")].map((path) => openSync(path, "r"));
  const [nothing, zeros, file] = opened.map((descriptor) => stdinOf(descriptor));
  for (const descriptor of opened) closeSync(descriptor);
  expect(nothing).toBeUndefined();
  expect(zeros).toBe(process.stdin);
  expect(file).toBe(process.stdin);
  expect(stdinOf(opened[0]!)).toBe(process.stdin);
  rmSync(folder, { recursive: true });
});
