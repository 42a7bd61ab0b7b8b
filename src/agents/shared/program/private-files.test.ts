import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { mkdir, mkdtemp, readFile, readdir, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { PrivateFiles, removeAbandonedFiles } from "./private-files.ts";

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "reins-test-"));
});
afterEach(() => rm(parent, { recursive: true, force: true }));

test("writes files only their owner can read, in a folder that is removed", async () => {
  const files = new PrivateFiles("some", parent);
  const first = await files.write("mcp.json", "{}");
  const second = await files.write("prompt.md", "x");
  expect(dirname(first)).toBe(dirname(second));
  expect(await readFile(first, "utf8")).toBe("{}");
  expect(statSync(first).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(first)).mode & 0o777).toBe(0o700);
  await files.remove();
  expect(existsSync(dirname(first))).toBe(false);
  await files.remove();
});

test("creates nothing when nothing is written", async () => {
  await new PrivateFiles("some", parent).remove();
  expect(await readdir(parent)).toEqual([]);
});

test("removes the folders of a dead owner and keeps all others", async () => {
  const dead = spawnSync(process.execPath, ["-e", ""]).pid;
  const abandoned = join(parent, `reins-some-${dead}-abc`);
  await mkdir(abandoned);
  await utimes(abandoned, 1, 1);
  await mkdir(join(parent, `reins-some-${dead}-new`));
  const files = new PrivateFiles("some", parent);
  const mine = await files.write("x", "");
  await mkdir(join(parent, "reins-some-notes"));
  await mkdir(join(parent, "other"));
  await removeAbandonedFiles("some", parent);
  const left = [basename(dirname(mine)), "other", "reins-some-notes", `reins-some-${dead}-new`];
  expect(new Set(await readdir(parent))).toEqual(new Set(left));
  await removeAbandonedFiles("some", join(parent, "missing"));
});
