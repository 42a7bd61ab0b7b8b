/** The table of paths and where each leads. Used for the modules of `workspace/`, the decision and every agent that touches files. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished } from "vitest";
import { agentEntries } from "../../src/agents/index.ts";
import type { Located } from "../../src/workspace/real-paths.ts";

export interface PathRow {
  readonly name: string;
  /** `$ROOT` stands for the folder around the workspace, which is `$ROOT/work`; `$HOME` for the home folder. */
  readonly path: string;
  readonly where: Located["where"];
  /** The file that a write through the kernel creates, below `$ROOT`; only when `where` is ordinary. */
  readonly writes?: string;
  /** An in-process agent writes no file there, even with permission. */
  readonly unwritable?: true;
}

export const pathTable: readonly PathRow[] = [
  { name: "a file", path: "a.txt", where: "ordinary", writes: "work/a.txt" },
  { name: "a new file", path: "new.txt", where: "ordinary", writes: "work/new.txt" },
  { name: "a new folder", path: "new/deep/x.txt", where: "ordinary", writes: "work/new/deep/x.txt" },
  { name: "a file in a folder", path: "src/x.ts", where: "ordinary", writes: "work/src/x.ts" },
  { name: "an absolute path", path: "$ROOT/work/x.txt", where: "ordinary", writes: "work/x.txt" },
  { name: "a dot in the way", path: "./src/./x.txt", where: "ordinary", writes: "work/src/x.txt" },
  { name: "two dots that stay inside", path: "src/../x.txt", where: "ordinary", writes: "work/x.txt" },
  { name: "two slashes", path: "src//x.txt", where: "ordinary", writes: "work/src/x.txt" },
  { name: "spaces and letters of any script", path: "src/ä 文.txt", where: "ordinary", writes: "work/src/ä 文.txt" },
  { name: "a name that ends with dots", path: "src/x..", where: "ordinary", writes: "work/src/x.." },
  { name: "a folder with a slash at its end", path: "src/", where: "ordinary", unwritable: true },
  { name: "the parent", path: "..", where: "outside", unwritable: true },
  { name: "beside the workspace", path: "../x.txt", where: "outside" },
  { name: "out by way of a folder", path: "src/../../x.txt", where: "outside" },
  { name: "a folder whose name only begins like the workspace", path: "../work-not/x.txt", where: "outside" },
  { name: "an absolute path elsewhere", path: "$ROOT/out/x.txt", where: "outside" },
  { name: "the home folder", path: "~/x.txt", where: "outside" },
  { name: "a file URL elsewhere", path: "file://$ROOT/out/x.txt", where: "outside" },
  { name: "a file URL with an escaped way out", path: "file://$ROOT/work/%2e%2e/x.txt", where: "outside" },
  { name: "a link to a folder inside", path: "in/x.txt", where: "ordinary", writes: "work/src/x.txt" },
  { name: "a link to a file inside", path: "near", where: "ordinary", writes: "work/a.txt" },
  { name: "a link to a folder outside", path: "link/x.txt", where: "outside" },
  { name: "a link to a file outside", path: "far", where: "outside" },
  {
    name: "a dangling link to the inside",
    path: "later",
    where: "protected",
    writes: "work/src/later.txt",
    unwritable: true,
  },
  { name: "a dangling link to the outside", path: "nowhere", where: "outside" },
  { name: "a link to a dangling link", path: "twice", where: "outside" },
  { name: "a link above a new path", path: "link/new/deep/x.txt", where: "outside" },
  { name: "out and in again by links", path: "up/work/x.txt", where: "ordinary", writes: "work/x.txt" },
  { name: "the folder above a link's target", path: "link/../evil.txt", where: "outside" },
  { name: "the folder above a link's target, absolute", path: "$ROOT/work/link/../evil.txt", where: "outside" },
  { name: "above a link that stays inside", path: "in/../x.txt", where: "ordinary", writes: "work/x.txt" },
  { name: "a link to the git folder", path: "g/hooks/pre-commit", where: "protected" },
  { name: "the git folder", path: ".git/hooks/pre-commit", where: "protected" },
  { name: "a git file in a subfolder", path: "sub/.git", where: "protected" },
  { name: "a bare repository", path: "repo.git/hooks/post-receive", where: "protected" },
  { name: "a hidden file", path: ".env", where: "protected" },
  { name: "a hidden folder below", path: "src/.vscode/tasks.json", where: "protected" },
  { name: "a hidden link to an ordinary folder", path: ".visible/x.txt", where: "protected" },
  { name: "a name of two dots and more", path: "..x", where: "protected" },
  { name: "a name of three dots", path: ".../x", where: "protected" },
  { name: "nothing", path: "", where: "protected", unwritable: true },
  { name: "the workspace itself", path: ".", where: "protected", unwritable: true },
  { name: "the workspace itself, absolute", path: "$ROOT/work", where: "protected", unwritable: true },
  { name: "the configuration of Reins", path: "reins.config.json", where: "protected" },
  { name: "the configuration of an agent", path: "opencode.json", where: "protected" },
  { name: "the same in a subfolder", path: "src/opencode.jsonc", where: "protected" },
  { name: "a name like it", path: "src/my-opencode.json", where: "ordinary", writes: "work/src/my-opencode.json" },
  { name: "a link to the configuration of an agent", path: "settings", where: "protected" },
  { name: "a zero byte", path: "a\0b", where: "outside", unwritable: true },
  { name: "a link to itself", path: "round", where: "outside", unwritable: true },
  { name: "below a link to itself", path: "round/x", where: "outside", unwritable: true },
  { name: "forty links", path: "chain40", where: "ordinary", writes: "work/chained.txt" },
  { name: "forty-one links", path: "chain41", where: "outside", unwritable: true },
  { name: "below a file", path: "a.txt/x", where: "outside", unwritable: true },
  { name: "the folder of a process", path: "/proc/self/cwd/x.txt", where: "outside", unwritable: true },
  { name: "a second folder", path: "$ROOT/second/x.txt", where: "ordinary", writes: "second/x.txt" },
  { name: "a hidden file of the second folder", path: "$ROOT/second/.env", where: "protected" },
  { name: "a folder nested in the first", path: "nested/x.txt", where: "ordinary", writes: "work/nested/x.txt" },
  { name: "that folder itself", path: "nested", where: "protected", unwritable: true },
  { name: "a second folder that is hidden in the first", path: ".shared/x.txt", where: "protected" },
];

export const protectedFiles: readonly string[] = agentEntries.flatMap((entry) => entry.protectedFiles ?? []);

export interface PathPlace {
  readonly root: string;
  readonly cwd: string;
  readonly directories: readonly string[];
  readonly pathOf: (row: PathRow) => string;
  readonly files: () => Record<string, string>;
}

/** The folders and links of the table, removed after the test. */
export function pathPlace(): PathPlace {
  const place = makePathPlace();
  onTestFinished(() => rmSync(place.root, { recursive: true, force: true }));
  return place;
}

/** Shared by all tests of a file that only read it. */
export function sharedPathPlace(): PathPlace {
  const place = makePathPlace();
  const before = place.files();
  afterAll(() => {
    const after = place.files();
    rmSync(place.root, { recursive: true, force: true });
    expect(after).toEqual(before);
  });
  return place;
}

function makePathPlace(): PathPlace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "reins-paths-")));
  const cwd = join(root, "work");
  for (const folder of ["src", "sub", "nested", ".git/hooks", "repo.git/hooks", ".shared"])
    mkdirSync(join(cwd, folder), { recursive: true });
  for (const folder of ["out/deep", "second", "work-not"]) mkdirSync(join(root, folder), { recursive: true });
  for (const file of ["work/a.txt", "work/chained.txt", "work/opencode.json", "out/file.txt", "out/deep/file.txt"])
    writeFileSync(join(root, file), "before");
  const links = {
    in: "src",
    near: "a.txt",
    link: "../out/deep",
    far: "../out/file.txt",
    later: "src/later.txt",
    nowhere: "../out/later.txt",
    twice: "nowhere",
    up: "..",
    g: ".git",
    ".visible": "src",
    settings: "opencode.json",
    round: "round",
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(cwd, name));
  for (let count = 1; count <= 41; count++)
    symlinkSync(count === 1 ? "chained.txt" : `chain${count - 1}`, join(cwd, `chain${count}`));
  return {
    root,
    cwd,
    directories: [join(root, "second"), join(cwd, "nested"), join(cwd, ".shared")],
    pathOf: ({ path }) => path.replaceAll("$ROOT", root),
    files: () => filesBelow(root),
  };
}

/** Does not follow links: one of them leads up. */
function filesBelow(root: string, folder = ""): Record<string, string> {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return Object.assign(
    {},
    ...entries.map((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesBelow(root, path);
      return entry.isFile() ? { [path]: readFileSync(join(root, path), "utf8") } : {};
    }),
  ) as Record<string, string>;
}
