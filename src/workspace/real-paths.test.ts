import { chmodSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { pathPlace, pathTable, protectedFiles, sharedPathPlace } from "../../test/support/path-table.ts";
import { allowedPath, isInside, locate, openLocated, realPath, realPaths, workspaceOf } from "./real-paths.ts";

const place = () => {
  const made = pathPlace();
  return { ...made, workspace: workspaceOf(made, protectedFiles) };
};

test("the table has at least 40 paths with unique names", () => {
  expect(pathTable.length).toBeGreaterThanOrEqual(40);
  expect(new Set(pathTable.map(({ name }) => name)).size).toBe(pathTable.length);
});

const shared = sharedPathPlace();

test.each(pathTable)("locates $name ($path) as $where", (row) => {
  const { root, pathOf } = shared;
  const workspace = workspaceOf(shared, protectedFiles);
  const located = locate(workspace, pathOf(row));
  expect(located.where).toBe(row.where);
  if (row.writes !== undefined) expect(located.real).toContain(join(root, row.writes));
});

test("finds every reading of `link/..`, the kernel's first", () => {
  const { root, cwd, workspace } = place();
  expect(locate(workspace, "link/../evil.txt").real).toEqual([join(root, "out/evil.txt"), join(cwd, "evil.txt")]);
  expect(realPaths("link/../evil.txt", cwd, root)).toEqual([join(root, "out/evil.txt"), join(cwd, "evil.txt")]);
  expect(realPaths("~/a", cwd, root)).toEqual([join(root, "a")]);
  expect(realPaths("round", cwd, root)).toEqual(["/"]);
});

test("treats a path that the system cannot look up as outside, and resolves it to the root", () => {
  const { workspace } = place();
  for (const path of ["x".repeat(300), "a\0b"]) {
    expect(locate(workspace, path)).toEqual({ asked: path, real: [], where: "outside" });
    expect(realPath(path)).toBe("/");
  }
});

test("reads `~` both as the home folder and as a folder of that name", () => {
  const { cwd, workspace } = place();
  const atHome = { ...workspace, folders: [homedir(), cwd] };
  expect(locate(atHome, "~/x.txt").where).toBe("ordinary");
  symlinkSync("../out", join(cwd, "~"));
  expect(locate(atHome, "~/x.txt").where).toBe("outside");
});

test("with entryItself, follows links in the folders but not the last one", () => {
  const { cwd, root, workspace } = place();
  expect(locate(workspace, "far", { entryItself: true })).toMatchObject({
    real: [join(cwd, "far")],
    where: "ordinary",
  });
  expect(locate(workspace, "link/file.txt", { entryItself: true })).toMatchObject({
    real: [join(root, "out/deep/file.txt")],
    where: "outside",
  });
});

test.skipIf(process.getuid?.() === 0)("treats a path behind an unreadable folder as outside", () => {
  const { cwd, workspace } = place();
  mkdirSync(join(cwd, "locked/inner"), { recursive: true });
  chmodSync(join(cwd, "locked"), 0o000);
  expect(locate(workspace, "locked/inner/x.txt")).toMatchObject({ real: [], where: "outside" });
  chmodSync(join(cwd, "locked"), 0o700);
});

test("resolves workspace folders that are links, and ignores unreachable ones", () => {
  const { root, cwd } = place();
  symlinkSync("work", join(root, "alias"));
  expect(isInside(join(cwd, "a.txt"), [join(root, "alias")], "/")).toBe(true);
  expect(isInside(join(root, "alias/a.txt"), [cwd], "/")).toBe(true);
  expect(isInside(join(cwd, "a.txt"), [join(cwd, "round")], "/")).toBe(false);
  expect(realPath(join(root, "alias/new"))).toBe(join(cwd, "new"));
});

describe("openLocated", () => {
  const read = async (path: string, allowed?: readonly string[]) => {
    const { workspace } = place();
    await using file = await openLocated(workspace, path, allowed ?? locate(workspace, path).real, "read");
    return await file.readFile("utf8");
  };

  test("opens an allowed file, also outside the workspace", async () => {
    expect(await read("a.txt")).toBe("before");
    expect(await read("link/file.txt")).toBe("before");
  });

  test("refuses a file that was not allowed", async () => {
    await expect(read("a.txt", [])).rejects.toMatchObject({ code: "permission_denied" });
    await expect(read("round")).rejects.toMatchObject({ code: "permission_denied" });
  });

  test("creates a new file only once, and does not truncate an existing one", async () => {
    const { cwd, workspace } = place();
    const { real } = locate(workspace, "new.txt");
    await expect(openLocated(workspace, "new.txt", real, "write")).rejects.toMatchObject({ code: "ENOENT" });
    await (await openLocated(workspace, "new.txt", real, "create")).close();
    await expect(openLocated(workspace, "new.txt", real, "create")).rejects.toMatchObject({ code: "EEXIST" });
    await (await openLocated(workspace, "a.txt", locate(workspace, "a.txt").real, "write")).close();
    expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("before");
  });

  test("refuses to write through a folder that became a link after the decision", async () => {
    const { cwd, root, workspace } = place();
    const { real } = locate(workspace, "src/x.txt");
    renameSync(join(cwd, "src"), join(cwd, "before"));
    symlinkSync(".git", join(cwd, "src"));
    for (const access of ["create", "write", "read"] as const)
      await expect(openLocated(workspace, "src/x.txt", real, access)).rejects.toMatchObject({
        code: "permission_denied",
      });
    expect(() => allowedPath(workspace, "src/x.txt", real)).toThrow("a different place");
    // Also refuse a link to a file that was allowed under its own name only.
    writeFileSync(join(root, "out/x.txt"), "");
    expect(() => allowedPath(workspace, "far", [join(root, "out/x.txt")])).toThrow("outside the workspace");
  });
});
