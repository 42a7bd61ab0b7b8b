import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isHidden, isInside } from "./inside.ts";

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

test("a link that leads nowhere yet is where it leads", () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "reins-inside-")));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const work = join(root, "work");
  mkdirSync(work);
  symlinkSync(join("..", "not-yet"), join(work, "out"));
  symlinkSync(join(root, "gone", "deeper"), join(work, "far"));
  symlinkSync("not-yet", join(work, "in"));
  symlinkSync("out", join(work, "twice"));
  symlinkSync("round", join(work, "round"));
  mkdirSync(join(root, "other", "deep"), { recursive: true });
  symlinkSync(join(root, "other", "deep"), join(work, "through"));
  symlinkSync(join("..", "..", "work", "new"), join(root, "other", "deep", "back"));
  symlinkSync(join("..", "new"), join(root, "other", "deep", "beside"));
  const inside = (path: string) => isInside(path, [work], work);
  expect(
    ["out", "far", "far/a.txt", "twice", "twice/a.txt", "round", "round/a", "through/beside"].filter(inside),
  ).toEqual([]);
  expect(inside("in")).toBe(true);
  expect(inside("through/back")).toBe(true);
});

test("hidden is what has a dot before its name, on the way from the workspace", () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "reins-.inside-")));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const work = join(root, ".work");
  mkdirSync(join(work, ".git"), { recursive: true });
  symlinkSync(".git", join(work, "plain"));
  const hidden = (path: string) => isHidden(path, [work], work);
  expect(["a.txt", "src/a.b.txt", join(work, "a")].filter(hidden)).toEqual([]);
  expect(
    [".env", "src/.x/a", ".git/hooks/pre-commit", "plain/hooks/pre-commit"].filter((path) => !hidden(path)),
  ).toEqual([]);
});
