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

test("the table has at least 40 paths, each with a name of its own", () => {
  expect(pathTable.length).toBeGreaterThanOrEqual(40);
  expect(new Set(pathTable.map(({ name }) => name)).size).toBe(pathTable.length);
});

const shared = sharedPathPlace();

test.each(pathTable)("$name ($path) is $where", (row) => {
  const { root, pathOf } = shared;
  const workspace = workspaceOf(shared, protectedFiles);
  const located = locate(workspace, pathOf(row));
  expect(located.where).toBe(row.where);
  if (row.writes !== undefined) expect(located.real).toContain(join(root, row.writes));
});

test("every way to read `link/..` is found, the kernel's first", () => {
  const { root, cwd, workspace } = place();
  expect(locate(workspace, "link/../evil.txt").real).toEqual([join(root, "out/evil.txt"), join(cwd, "evil.txt")]);
  expect(realPaths("link/../evil.txt", cwd, root)).toEqual([join(root, "out/evil.txt"), join(cwd, "evil.txt")]);
  expect(realPaths("~/a", cwd, root)).toEqual([join(root, "a")]);
  expect(realPaths("round", cwd, root)).toEqual(["/"]);
});

test("a path that the system cannot look up is outside, and leads to the root where one path is wanted", () => {
  const { workspace } = place();
  for (const path of ["x".repeat(300), "a\0b"]) {
    expect(locate(workspace, path)).toEqual({ asked: path, real: [], where: "outside" });
    expect(realPath(path)).toBe("/");
  }
});

test("`~` is read both ways: the home folder may be inside, and a folder of that name may not", () => {
  const { cwd, workspace } = place();
  const atHome = { ...workspace, folders: [homedir(), cwd] };
  expect(locate(atHome, "~/x.txt").where).toBe("ordinary");
  symlinkSync("../out", join(cwd, "~"));
  expect(locate(atHome, "~/x.txt").where).toBe("outside");
});

test("the entry itself is not followed, the way to it is", () => {
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

test.skipIf(process.getuid?.() === 0)("what lies behind a folder that cannot be read is outside", () => {
  const { cwd, workspace } = place();
  mkdirSync(join(cwd, "locked/inner"), { recursive: true });
  chmodSync(join(cwd, "locked"), 0o000);
  expect(locate(workspace, "locked/inner/x.txt")).toMatchObject({ real: [], where: "outside" });
  chmodSync(join(cwd, "locked"), 0o700);
});

test("a folder that is a link counts as what it leads to, a folder that cannot be reached as nothing", () => {
  const { root, cwd } = place();
  symlinkSync("work", join(root, "alias"));
  expect(isInside(join(cwd, "a.txt"), [join(root, "alias")], "/")).toBe(true);
  expect(isInside(join(root, "alias/a.txt"), [cwd], "/")).toBe(true);
  expect(isInside(join(cwd, "a.txt"), [join(cwd, "round")], "/")).toBe(false);
  expect(realPath(join(root, "alias/new"))).toBe(join(cwd, "new"));
});

describe("opening", () => {
  const read = async (path: string, allowed?: readonly string[]) => {
    const { workspace } = place();
    await using file = await openLocated(workspace, path, allowed ?? locate(workspace, path).real, "read");
    return await file.readFile("utf8");
  };

  test("what was allowed is opened, also outside", async () => {
    expect(await read("a.txt")).toBe("before");
    expect(await read("link/file.txt")).toBe("before");
  });

  test("what was not allowed is not opened", async () => {
    await expect(read("a.txt", [])).rejects.toMatchObject({ code: "permission_denied" });
    await expect(read("round")).rejects.toMatchObject({ code: "permission_denied" });
  });

  test("a new file is made once, and an existing one is not emptied", async () => {
    const { cwd, workspace } = place();
    const { real } = locate(workspace, "new.txt");
    await expect(openLocated(workspace, "new.txt", real, "write")).rejects.toMatchObject({ code: "ENOENT" });
    await (await openLocated(workspace, "new.txt", real, "create")).close();
    await expect(openLocated(workspace, "new.txt", real, "create")).rejects.toMatchObject({ code: "EEXIST" });
    await (await openLocated(workspace, "a.txt", locate(workspace, "a.txt").real, "write")).close();
    expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("before");
  });

  test("a folder that became a link after the decision is not written through", async () => {
    const { cwd, root, workspace } = place();
    const { real } = locate(workspace, "src/x.txt");
    renameSync(join(cwd, "src"), join(cwd, "before"));
    symlinkSync(".git", join(cwd, "src"));
    for (const access of ["create", "write", "read"] as const)
      await expect(openLocated(workspace, "src/x.txt", real, access)).rejects.toMatchObject({
        code: "permission_denied",
      });
    expect(() => allowedPath(workspace, "src/x.txt", real)).toThrow("another place");
    // The same for a link that leads to a file that was allowed under its own name.
    writeFileSync(join(root, "out/x.txt"), "");
    expect(() => allowedPath(workspace, "far", [join(root, "out/x.txt")])).toThrow("outside the workspace");
  });
});
