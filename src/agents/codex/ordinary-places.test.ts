import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isOrdinaryPlace } from "./ordinary-places.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "reins-test-"));
  for (const name of ["work/src", "work/.git", "further", "outside"]) mkdirSync(join(root, name), { recursive: true });
  symlinkSync(join(root, "outside"), join(root, "work/link"));
  symlinkSync(join(root, "outside/none"), join(root, "work/dangling"));
});
afterEach(() => rmSync(root, { recursive: true }));

test.for([
  ["a.txt", true],
  ["src/deep/a.txt", true],
  ["src/../a.txt", true],
  ["../further/a.txt", true],
  ["../outside/a.txt", false],
  ["../work-too/a.txt", false],
  ["link/a.txt", false],
  ["dangling", false],
  [".env", false],
  [".git/hooks/pre-commit", false],
  ["src/.hidden/a.txt", false],
  ["", false],
] as const)("%j is an ordinary place: %s", ([path, ordinary]) => {
  const cwd = join(root, "work");
  expect(isOrdinaryPlace(path, [cwd, join(root, "further")], cwd)).toBe(ordinary);
});
