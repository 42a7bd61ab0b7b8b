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

test("files only their owner can read, in a folder that goes", async () => {
  const files = new PrivateFiles(parent);
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

test("nothing is made when nothing is written", async () => {
  await new PrivateFiles(parent).remove();
  expect(await readdir(parent)).toEqual([]);
});

test("what a dead owner left is removed, what others have stays", async () => {
  const dead = spawnSync(process.execPath, ["-e", ""]).pid;
  const abandoned = join(parent, `reins-claude-${dead}-abc`);
  await mkdir(abandoned);
  await utimes(abandoned, 1, 1);
  await mkdir(join(parent, `reins-claude-${dead}-new`));
  const files = new PrivateFiles(parent);
  const mine = await files.write("x", "");
  await mkdir(join(parent, "reins-claude-notes"));
  await mkdir(join(parent, "other"));
  await removeAbandonedFiles(parent);
  const left = [basename(dirname(mine)), "other", "reins-claude-notes", `reins-claude-${dead}-new`];
  expect(new Set(await readdir(parent))).toEqual(new Set(left));
  await removeAbandonedFiles(join(parent, "missing"));
});
