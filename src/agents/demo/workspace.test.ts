import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { makeFolder } from "../../../test/support/demo.ts";
import type { OpenOptions } from "../contract.ts";
import { insidePath, shownPath } from "./workspace.ts";

let cwd = "";
let options: OpenOptions = { sessionId: "s", cwd, mode: "ask" };

beforeEach(async () => {
  cwd = await makeFolder();
  options = { sessionId: "s", cwd, mode: "ask" };
  await writeFile(join(dirname(cwd), "secret"), "no");
  await mkdir(join(cwd, "folder"));
  await writeFile(join(cwd, "file"), "yes");
  await symlink("file", join(cwd, "near"));
  await symlink("../secret", join(cwd, "far"));
  await symlink("..", join(cwd, "up"));
  await symlink("../new", join(cwd, "nowhere"));
});

describe("inside the workspace", () => {
  test.each(["file", "./file", "folder/../file", "near", "up/work/file"])("%s", async (path) => {
    expect(await insidePath(options, path)).toBe(join(cwd, "file"));
  });

  test.each(["new", "folder/new", "a/b/c"])("%s, which is not there yet", async (path) => {
    expect(await insidePath(options, path)).toBe(join(cwd, path));
  });

  test("an absolute path, and a further folder", async () => {
    expect(await insidePath(options, join(cwd, "file"))).toBe(join(cwd, "file"));
    const further = { ...options, directories: [dirname(cwd)] };
    expect(await insidePath(further, "../secret")).toBe(join(dirname(cwd), "secret"));
  });
});

test.each([
  "..",
  "../secret",
  "../workshop",
  "far",
  "up/secret",
  "up/new",
  "/etc/passwd",
  "nowhere",
  "file/below",
  "a\0b",
])("%o is outside, or no path", async (path) => {
  await expect(insidePath(options, path)).rejects.toMatchObject({ reason: "error" });
});

test("paths are shown relative to the workspace where they are inside", () => {
  expect(shownPath(options, join(cwd, "folder", "x"))).toBe("folder/x");
  expect(shownPath(options, "./x")).toBe("x");
  expect(shownPath(options, "..name")).toBe("..name");
  expect(shownPath(options, "../secret")).toBe(join(dirname(cwd), "secret"));
});
