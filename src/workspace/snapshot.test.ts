import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryFolder, testProcesses } from "../../test/support/processes.ts";
import type { Processes } from "../process/types.ts";
import { openRepository, type Change } from "./snapshot.ts";

let root: string;
let processes: Processes;
let clean: () => void;

beforeEach(() => {
  const folder = temporaryFolder();
  root = folder.path;
  clean = () => folder[Symbol.dispose]();
  processes = testProcesses(join(root, "home"));
  mkdirSync(join(root, "repo"));
});
afterEach(async () => {
  await processes.close();
  clean();
});

const env = { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: "/dev/null" };
const repo = (...path: string[]) => join(root, "repo", ...path);
function git(...args: string[]): void {
  execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.com", ...args], { cwd: repo(), env });
}
function startRepository(): void {
  git("init", "-q");
  for (const name of ["kept", "dirty", "gone", "edited"]) writeFileSync(repo(name), name);
  git("add", ".");
  git("commit", "-qm", "first");
  writeFileSync(repo("dirty"), "dirty before");
  writeFileSync(repo("untracked"), "untracked before");
}

async function changesOf(work: () => void, cwd = repo()): Promise<readonly Change[] | undefined> {
  const repository = openRepository(processes, cwd, env);
  const before = await repository.snapshot();
  expect(before).toBeDefined();
  work();
  const changes = await repository.changesSince(before!);
  return changes?.toSorted((a, b) => a.path.localeCompare(b.path));
}

test("finds created, changed and deleted files, and ignores earlier changes", async () => {
  startRepository();
  const changes = await changesOf(() => {
    mkdirSync(repo("new"));
    writeFileSync(repo("new", "file with ünicode"), "x");
    writeFileSync(repo("edited"), "edited now");
    unlinkSync(repo("gone"));
  });
  expect(changes).toEqual([
    { path: "edited", op: "modify" },
    { path: "gone", op: "delete" },
    { path: "new/file with ünicode", op: "create" },
  ]);
});

test("finds earlier changes that are changed again, removed or reverted", async () => {
  startRepository();
  const changes = await changesOf(() => {
    writeFileSync(repo("untracked"), "and changed again");
    git("checkout", "-q", "--", "dirty");
  });
  expect(changes).toEqual([
    { path: "dirty", op: "modify" },
    { path: "untracked", op: "modify" },
  ]);
  expect(await changesOf(() => unlinkSync(repo("untracked")))).toEqual([{ path: "untracked", op: "delete" }]);
});

test("ignores a commit of earlier changes, and finds a commit of new ones", async () => {
  startRepository();
  expect(
    await changesOf(() => {
      git("add", ".");
      git("commit", "-qm", "second");
    }),
  ).toEqual([]);
  expect(
    await changesOf(() => {
      writeFileSync(repo("late"), "late");
      git("rm", "-q", "kept");
      git("add", ".");
      git("commit", "-qm", "third");
    }),
  ).toEqual([
    { path: "kept", op: "delete" },
    { path: "late", op: "create" },
  ]);
  expect(
    await changesOf(() => {
      writeFileSync(repo("edited"), "edited and committed");
      git("commit", "-qam", "fourth");
    }),
  ).toEqual([{ path: "edited", op: "modify" }]);
});

test("returns undefined when the repository is gone or the diff is too long", async () => {
  startRepository();
  const outside = { ...env, GIT_CEILING_DIRECTORIES: root };
  const cut: Pick<Processes, "run"> = {
    run: async (command, deadlineMs) => {
      const output = await processes.run(command, deadlineMs);
      return command.args.includes("diff") ? { ...output, truncated: true } : output;
    },
  };
  const repositories = [processes, cut as Processes].map((one) => openRepository(one, repo(), outside));
  const [first, second] = await Promise.all(repositories.map((repository) => repository.snapshot()));
  git("commit", "-qam", "second");
  expect(await repositories[1]!.changesSince(second!)).toBeUndefined();
  rmSync(repo(".git"), { recursive: true });
  expect(await repositories[0]!.changesSince(first!)).toBeUndefined();
});

test("looks only at the given subfolder, with paths relative to it", async () => {
  startRepository();
  mkdirSync(repo("sub"));
  writeFileSync(repo("sub", "a"), "a");
  const changes = await changesOf(() => {
    writeFileSync(repo("sub", "b"), "b");
    writeFileSync(repo("outside"), "x");
  }, repo("sub"));
  expect(changes).toEqual([{ path: "b", op: "create" }]);
});

test("runs no program that the repository configures", async () => {
  startRepository();
  const trap = `sh -c 'touch ${repo("..", "ran")}; cat'`;
  writeFileSync(repo(".gitattributes"), "* filter=a=b.c\n");
  for (const [name, value] of Object.entries({
    "filter.a=b.c.clean": trap,
    "filter.a=b.c.process": trap,
    "filter.a=b.c.required": "true",
    "core.fsmonitor": trap,
    "diff.external": trap,
    "core.pager": trap,
  }))
    git("config", name, value);
  expect(await changesOf(() => writeFileSync(repo("kept"), "tpek"))).toContainEqual({ path: "kept", op: "modify" });
  expect(existsSync(repo("..", "ran"))).toBe(false);
  // Proves that the trap works: a plain git command runs it.
  spawnSync("git", ["-c", "core.fsmonitor=false", "status"], { cwd: repo(), env });
  expect(existsSync(repo("..", "ran"))).toBe(true);
});

test("returns undefined for slow or overlong output, and does not wait for a slow git twice", async () => {
  const output = { code: 0, signal: null, stdout: "", stderr: "", timedOut: false, truncated: false };
  let calls = 0;
  const saying = (more: object) => {
    const run = () => Promise.resolve({ ...output, ...(++calls, more) });
    return openRepository({ run } as unknown as Processes, root, {});
  };
  expect(await saying({ truncated: true }).snapshot()).toBeUndefined();
  const slow = saying({ timedOut: true });
  expect(await slow.snapshot()).toBeUndefined();
  calls = 0;
  expect(await slow.snapshot()).toBeUndefined();
  expect(calls).toBe(0);
});

test("works without a commit, and takes no snapshot without a repository", async () => {
  git("init", "-q");
  expect(await changesOf(() => writeFileSync(repo("a"), "a"))).toEqual([{ path: "a", op: "create" }]);
  rmSync(repo(".git"), { recursive: true });
  const outside = { ...env, GIT_CEILING_DIRECTORIES: root };
  expect(await openRepository(processes, repo(), outside).snapshot()).toBeUndefined();
  expect(await openRepository(processes, repo(), { PATH: "/nowhere" }).snapshot()).toBeUndefined();
});
