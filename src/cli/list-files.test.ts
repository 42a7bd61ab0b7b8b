import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder, testProcesses } from "../../test/support/processes.ts";
import { listFiles, unquoted } from "./list-files.ts";

function write(root: string, ...names: string[]): void {
  for (const name of names) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), "");
  }
}

async function listed(root: string, home: string, path = process.env["PATH"]): Promise<string[]> {
  const processes = testProcesses(home);
  try {
    const names: string[] = [];
    const env = { PATH: path, HOME: home };
    for await (const batch of listFiles({ processes, cwd: root, env }, new AbortController().signal))
      names.push(...batch);
    return names.sort();
  } finally {
    await processes.close();
  }
}

describe("in a repository", () => {
  test("asks git for the files of the folder, with any characters in names", async () => {
    using folder = temporaryFolder();
    using home = temporaryFolder();
    const git = (...args: string[]) => execFileSync("git", args, { cwd: folder.path, stdio: "ignore" });
    git("init", "-q");
    write(
      folder.path,
      "a.ts",
      ".hidden/b.ts",
      "sub/c d.ts",
      "sub/é漢.ts",
      'sub/q"\n.ts',
      "build/x.js",
      "node_modules/m.js",
    );
    writeFileSync(join(folder.path, ".gitignore"), "build\nnode_modules\n");
    git("add", "a.ts");
    expect(await listed(folder.path, home.path)).toEqual(
      [".gitignore", ".hidden/b.ts", "a.ts", "sub/c d.ts", 'sub/q"\n.ts', "sub/é漢.ts"].sort(),
    );
    expect(await listed(join(folder.path, "sub"), home.path)).toEqual(["c d.ts", 'q"\n.ts', "é漢.ts"].sort());
    // A folder that the repository ignores has files too.
    expect(await listed(join(folder.path, "build"), home.path)).toEqual(["x.js"]);
  });
});

describe("outside of git", () => {
  test("walks without dependencies and hidden folders, and follows no link", async () => {
    using folder = temporaryFolder();
    using home = temporaryFolder();
    write(folder.path, "a.ts", ".env", "sub/deep/b.ts", ".cache/x", "node_modules/m.js", "sub/node_modules/n.js");
    symlinkSync("..", join(folder.path, "sub/up"));
    expect(await listed(folder.path, home.path)).toEqual([".env", "a.ts", "sub/deep/b.ts", "sub/up"]);
    expect(await listed(folder.path, home.path, home.path)).toHaveLength(4);
    expect(await listed(join(folder.path, "missing"), home.path)).toEqual([]);
  });

  test("stops when it is aborted", async () => {
    using folder = temporaryFolder();
    using home = temporaryFolder();
    for (let index = 0; index < 3; index++)
      write(folder.path, ...Array.from({ length: 1001 }, (_, each) => `${index}/${each}`));
    const processes = testProcesses(home.path);
    const abort = new AbortController();
    const env = { PATH: process.env["PATH"], HOME: home.path };
    let batches = 0;
    for await (const _ of listFiles({ processes, cwd: folder.path, env }, abort.signal)) {
      batches++;
      abort.abort();
    }
    await processes.close();
    expect(batches).toBe(1);
  });
});

test.each([
  ["a b", "a b"],
  ['"a\\tb\\\\c\\"\\001"', 'a\tb\\c"\x01'],
  ['"', '"'],
])("unquotes git's name %j as %j", (printed, name) => {
  expect(unquoted(printed)).toBe(name);
});
