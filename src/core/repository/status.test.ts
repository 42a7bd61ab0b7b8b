import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { testFolder } from "../../../test/support/core.ts";
import { git, repository } from "../../../test/support/repository.ts";
import type { ReinsOptions } from "../api.ts";
import { createReins } from "../reins.ts";

let root: string;

/** The clone has a remote; each test works in a copy of it. */
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "reins-repository-"));
  mkdirSync(join(root, "work"));
  git(root, "init", "--quiet", "--bare", "--initial-branch=main", "project.git");
  repository(join(root, "work"));
  git(join(root, "work"), "remote", "add", "origin", "../project.git");
  git(join(root, "work"), "push", "--quiet", "--set-upstream", "origin", "main");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** The clone, and a `gh` that runs this script. */
function prepare(gh = "exit 1"): { cwd: string; ask: (options?: ReinsOptions) => Promise<Record<string, unknown>> } {
  const folder = testFolder();
  const [cwd, bin] = [join(folder, "work"), join(folder, "bin")];
  cpSync(root, folder, { recursive: true });
  mkdirSync(bin);
  writeFileSync(join(bin, "gh"), `#!/bin/sh\n${gh}\n`, { mode: 0o755 });
  const env = { PATH: `${bin}:${process.env["PATH"]}`, HOME: folder, REINS_HOME: join(folder, "reins") };
  const ask = async (options: ReinsOptions = {}) => {
    const reins = createReins({ env, guardian: false, ...options });
    onTestFinished(() => reins.close());
    return ((await reins.repository({ cwd })) ?? { status: undefined }) as unknown as Record<string, unknown>;
  };
  return { cwd, ask };
}

const bin = (cwd: string): string => join(cwd, "..", "bin");
const request = { number: 7, url: "https://example.com/7", title: "It's a title", state: "OPEN" };
const says = (answer: object): string =>
  `cat <<'END'\n${JSON.stringify({ ...request, isDraft: false, mergeable: "MERGEABLE", reviewDecision: "", ...answer })}\nEND`;
const edit = (cwd: string): void => writeFileSync(join(cwd, "a.txt"), "two\n");
const commit = (cwd: string): void => {
  edit(cwd);
  git(cwd, "commit", "--quiet", "--all", "--message=Second");
};
const ended = (conclusion: string) => ({ __typename: "CheckRun", status: "COMPLETED", conclusion });

describe("a repository", () => {
  it.each<[string, string | undefined, ((cwd: string) => void)?]>([
    ["local_dirty", undefined, edit],
    ["local_ahead", undefined, commit],
    ["local_clean", undefined],
    ["merged", says({ state: "MERGED" })],
    ["closed", says({ state: "CLOSED" })],
    ["draft", says({ isDraft: true })],
    ["merge_conflicts", says({ mergeable: "CONFLICTING" })],
    ["ci_failing", says({ statusCheckRollup: [ended("SUCCESS"), ended("FAILURE")] })],
    ["approved", says({ reviewDecision: "APPROVED", statusCheckRollup: [ended("SUCCESS"), { status: "QUEUED" }] })],
    ["changes_requested", says({ reviewDecision: "CHANGES_REQUESTED" })],
    ["review_requested", says({ reviewDecision: "REVIEW_REQUIRED", statusCheckRollup: [{ state: "SUCCESS" }] })],
    ["open", says({})],
  ])("is %s", async (state, gh, change) => {
    const { cwd, ask } = prepare(gh);
    change?.(cwd);
    const found = await ask();
    expect(found).toMatchObject({ repoName: "project", branch: "main", status: state });
    expect(found["prNumber"]).toBe(gh === undefined ? null : 7);
  });

  it("summarises its checks", async () => {
    const of = async (statusCheckRollup: unknown) => (await prepare(says({ statusCheckRollup })).ask())["checksStatus"];
    expect(await of([ended("SUCCESS"), ended("SKIPPED"), { state: "SUCCESS" }])).toBe("pass");
    expect(await of([ended("SUCCESS"), { status: "IN_PROGRESS", conclusion: "" }])).toBe("pending");
    expect(await of([{ state: "ERROR" }, { state: "PENDING" }])).toBe("fail");
    expect(await of([])).toBeNull();
    expect(await of("none")).toBeNull();
  });

  it("is in conflict during an unresolved merge", async () => {
    const { cwd, ask } = prepare(says({}));
    git(cwd, "checkout", "--quiet", "-b", "other");
    commit(cwd);
    git(cwd, "checkout", "--quiet", "main");
    writeFileSync(join(cwd, "a.txt"), "three\n");
    git(cwd, "commit", "--quiet", "--all", "--message=Third");
    expect(() => git(cwd, "merge", "other")).toThrow("Command failed");
    expect(await ask()).toMatchObject({ status: "merge_conflicts", isDirty: true, isAhead: true });
  });

  it("is ahead on an unpublished branch, and behind when the remote moved on", async () => {
    const { cwd, ask } = prepare();
    git(cwd, "checkout", "--quiet", "-b", "feature/a");
    expect(await ask()).toMatchObject({ branch: "feature/a", status: "local_clean", isAhead: false });
    commit(cwd);
    expect(await ask()).toMatchObject({ status: "local_ahead", isBehind: false });
    git(cwd, "push", "--quiet", "origin", "feature/a:main");
    git(cwd, "checkout", "--quiet", "main");
    expect(await ask()).toMatchObject({ status: "local_clean", isBehind: true });
  });
});

describe("failures", () => {
  it.each([
    ["prints HTML", "echo '<html>sign in</html>'"],
    ["prints JSON of something else", "echo '[1, {}]'; echo"],
    ["asks to sign in", "echo 'To get started with GitHub CLI, please run: gh auth login' >&2; exit 4"],
    ["waits for an answer", "read answer; echo '{}'"],
    ["dies", "kill -9 $$"],
  ])("ignores a gh that %s", async (_what, script) => {
    expect(await prepare(script).ask()).toMatchObject({ status: "local_clean", prNumber: null });
  });

  it("ends a gh that hangs after the probe deadline", async () => {
    const { ask } = prepare("sleep 600");
    expect(await ask({ deadlines: { probe: 200 } })).toMatchObject({ status: "local_clean" });
  });

  it("gives gh only its own key, and does not run it without a remote", async () => {
    const { cwd, ask } = prepare(`[ "$GH_TOKEN $OPENAI_API_KEY" = "mine " ] || exit 1\n${says({})}`);
    const keys = { GH_TOKEN: "mine", OPENAI_API_KEY: "sk-other" };
    const env = { PATH: `${bin(cwd)}:${process.env["PATH"]}`, HOME: bin(cwd), REINS_HOME: bin(cwd), ...keys };
    expect(await ask({ env })).toMatchObject({ status: "open" });
    git(cwd, "remote", "remove", "origin");
    expect(await ask({ env })).toMatchObject({ status: "local_clean", prNumber: null, repoName: "work" });
  });

  it("counts more changes than fit into git's output as changes", async () => {
    const { cwd, ask } = prepare();
    for (let index = 0; index < 3_500; index++) writeFileSync(join(cwd, `${index}`.padStart(200, "x")), "");
    git(cwd, "add", "--all");
    expect(await ask()).toMatchObject({ branch: "main", status: "local_dirty" });
  });

  it("names a detached HEAD, an unborn branch, a submodule and a second work tree", async () => {
    const { cwd, ask } = prepare();
    const oid = git(cwd, "rev-parse", "--short=7", "HEAD");
    git(cwd, "checkout", "--quiet", "--detach");
    expect(await ask()).toMatchObject({ branch: `detached at ${oid}`, status: "local_clean" });
    const reins = createReins({ env: { PATH: process.env["PATH"], HOME: cwd, REINS_HOME: cwd }, guardian: false });
    onTestFinished(() => reins.close());
    const tree = join(testFolder(), "tree");
    git(cwd, "worktree", "add", "--quiet", "-b", "second", tree);
    expect(await reins.repository({ cwd: tree })).toMatchObject({ repoName: "project", branch: "second" });
    const unborn = join(testFolder(), "unborn");
    mkdirSync(unborn);
    git(unborn, "init", "--quiet", "--initial-branch=trunk");
    expect(await reins.repository({ cwd: unborn })).toMatchObject({ branch: "trunk", status: "local_clean" });
    git(unborn, "-c", "protocol.file.allow=always", "submodule", "add", "--quiet", cwd, "inner");
    expect(await reins.repository({ cwd: join(unborn, "inner") })).toMatchObject({ repoName: "work" });
    expect(await reins.repository({ cwd: unborn })).toMatchObject({ status: "local_dirty" });
  });

  it("has no status for a bare repository, a plain folder and a machine without git", async () => {
    const { cwd, ask } = prepare();
    const reins = createReins({ env: { PATH: process.env["PATH"], HOME: cwd, REINS_HOME: cwd }, guardian: false });
    onTestFinished(() => reins.close());
    expect(await reins.repository({ cwd: join(cwd, "..", "project.git") })).toBeUndefined();
    expect(await reins.repository({ cwd: testFolder() })).toBeUndefined();
    expect(await ask({ env: { PATH: testFolder(), HOME: cwd, REINS_HOME: cwd } })).toEqual({ status: undefined });
    rmSync(join(cwd, ".git", "HEAD"));
    expect(await ask()).toEqual({ status: undefined });
  });
});
