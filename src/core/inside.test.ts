import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isInside } from "./inside.ts";

test("inside means inside, links and dots followed", () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "reins-inside-")));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const work = join(root, "work");
  mkdirSync(work);
  mkdirSync(join(root, "work-not"));
  symlinkSync(root, join(work, "out"));
  const inside = (path: string) => isInside(path, [work], work);
  expect(inside("a.txt")).toBe(true);
  expect(inside("new/deep/a.txt")).toBe(true);
  expect(inside("..a.txt")).toBe(true);
  expect(inside(work)).toBe(true);
  expect(inside("../a.txt")).toBe(false);
  expect(inside("x/../../a.txt")).toBe(false);
  expect(inside(join(root, "work-not", "a.txt"))).toBe(false);
  expect(inside("out/a.txt")).toBe(false);
  expect(inside("out/new/a.txt")).toBe(false);
  expect(inside("/etc/passwd")).toBe(false);
  expect(isInside("../work-not/a", [work, join(root, "work-not")], work)).toBe(true);
});
