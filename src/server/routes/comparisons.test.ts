import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { apiServer, type Answered, type TestServer } from "../../../test/support/api-server.ts";
import { git, repository, stateOf } from "../../../test/support/repository.ts";
import { shellScript } from "../../../test/support/processes.ts";
import type { Reins } from "../../core/api.ts";
import { createRedactor } from "../../events/redact.ts";
import type { Comparison, ComparisonDetails, KeepAnswer } from "../schemas/comparisons.ts";

import { openComparisons } from "../../core/comparisons/comparisons.ts";
import type { ComparisonRecord } from "../../core/comparisons/record.ts";

const over = ({ type }: { readonly type: string }): boolean => type === "turn.completed";

async function compare(server: TestServer, prompt: string, more: object = {}): Promise<Answered<Comparison>> {
  return server.call<Comparison>("/api/comparisons", {
    body: { cwd: server.cwd, prompt, mode: "full", entries: [{ agent: "demo" }], ...more },
  });
}

/** The comparisons that another server process finds. */
function reopened(home: string): ReturnType<typeof openComparisons> {
  const sessions = {
    open: () => Promise.reject(new Error("none")),
    close: () => Promise.resolve(),
    state: async () => "gone" as const,
  };
  const env = { PATH: process.env["PATH"], REINS_HOME: home };
  const redact = createRedactor({});
  const onError = (thrown: unknown): never => {
    throw thrown;
  };
  const comparisons = openComparisons({
    reins: {} as Reins,
    sessions,
    env,
    redact,
    onError,
  });
  onTestFinished(() => comparisons.close());
  return comparisons;
}

/** Creates a comparison and waits until all its agents have ended. */
async function compared(server: TestServer, prompt: string, more: object = {}): Promise<ComparisonDetails> {
  const { status, body } = await compare(server, prompt, more);
  expect([status, body]).toEqual([201, expect.anything()]);
  for (const { session } of body.entries) await server.until(session!, over);
  return (await server.call<ComparisonDetails>(`/api/comparisons/${body.id}`)).body;
}

test("runs each agent in its own worktree and leaves the user's folder alone", async () => {
  const server = await apiServer({ rooted: true });
  repository(server.cwd);
  writeFileSync(join(server.cwd, "a.txt"), "mine\n");
  const before = stateOf(server.cwd);
  const entries = [{ agent: "demo" }, { agent: "demo", model: "scripted" }];
  const found = await compared(server, "edit a.txt one -> two; write new.txt hello", { entries });
  expect(found).toMatchObject({ uncommitted: 1, base: git(server.cwd, "rev-parse", "HEAD") });
  expect(found.entries.map(({ number, state }) => [number, state])).toEqual([
    [1, "done"],
    [2, "done"],
  ]);
  for (const { files, patch, branch, folder, session } of found.entries) {
    expect(files).toEqual([
      { path: "a.txt", change: "modified", added: 1, removed: 1 },
      { path: "new.txt", change: "added", added: 1, removed: 0 },
    ]);
    expect(patch).toContain("-one\n+two");
    expect(patch).toContain("+hello");
    expect(git(folder, "symbolic-ref", "--short", "HEAD")).toBe(branch);
    // The worktree is not in the roots, but it belongs to a repository that is.
    expect((await server.call(`/api/sessions/${session}`)).body).toMatchObject({ cwd: folder });
  }
  const { status, body } = await server.call(`/api/comparisons/${found.id}`, { method: "DELETE" });
  expect([status, body]).toEqual([200, { branches: [] }]);
  expect(found.entries.some(({ folder }) => existsSync(folder))).toBe(false);
  expect(stateOf(server.cwd)).toBe(before);
  expect(readFileSync(join(server.cwd, "a.txt"), "utf8")).toBe("mine\n");
  expect((await server.call("/api/comparisons")).body).toEqual({ comparisons: [] });
  expect((await server.call(`/api/comparisons/${found.id}`)).status).toBe(404);
  // The session stays readable, also for a token limited to the roots.
  expect((await server.call(`/api/sessions/${found.entries[0]!.session}`)).status).toBe(200);
});

test("runs no program that a repository configures", async () => {
  const server = await apiServer();
  repository(server.cwd);
  const mark = join(server.cwd, "..", "it-ran");
  const evil = shellScript(join(server.cwd, ".."), "evil", `touch ${mark}; cat`);
  for (const hook of ["post-checkout", "pre-commit", "post-commit", "reference-transaction", "post-index-change"])
    shellScript(join(server.cwd, ".git", "hooks"), hook, `touch ${mark}`);
  writeFileSync(join(server.cwd, ".gitattributes"), "*.txt filter=evil diff=evil\n");
  git(server.cwd, "-c", "core.hooksPath=/dev/null", "add", "--all");
  git(server.cwd, "-c", "core.hooksPath=/dev/null", "commit", "--quiet", "--message=Attributes");
  for (const [name, value] of [
    ["core.fsmonitor", evil],
    ["filter.evil.smudge", evil],
    ["filter.evil.clean", evil],
    ["filter.evil.required", "true"],
    ["diff.evil.textconv", evil],
    ["diff.external", evil],
    ["commit.gpgSign", "true"],
    ["gpg.program", evil],
    ["core.pager", evil],
    ["core.editor", evil],
  ] as const)
    git(server.cwd, "config", name, value);
  rmSync(mark, { force: true });
  const { id, entries } = await compared(server, "edit a.txt one -> two");
  expect(entries[0]!.files).toHaveLength(1);
  // Now the agent itself plants a repository there.
  writeFileSync(join(entries[0]!.folder, ".git"), `gitdir: ${join(server.cwd, ".git")}\n`);
  const kept = await server.call<KeepAnswer>(`/api/comparisons/${id}/keep/1`, { body: { how: "branch" } });
  expect([kept.status, kept.body]).toMatchObject([200, { branch: entries[0]!.branch }]);
  const applied = await server.call(`/api/comparisons/${id}/keep/1`, { body: { how: "apply" } });
  expect([applied.status, applied.body]).toMatchObject([200, { how: "apply" }]);
  expect((await server.call(`/api/comparisons/${id}`, { method: "DELETE" })).status).toBe(200);
  expect(existsSync(mark)).toBe(false);
});

test("keeps a chosen result on its branch, or applies it to a clean folder", async () => {
  const server = await apiServer();
  repository(server.cwd);
  const entries = [{ agent: "demo" }, { agent: "demo" }];
  const { id, ...found } = await compared(server, "edit a.txt one -> two; write sub/b.txt new", { entries });
  const keep = (entry: number, how: string) =>
    server.call<KeepAnswer & { error: { message: string } }>(`/api/comparisons/${id}/keep/${entry}`, { body: { how } });
  const { branch, folder } = found.entries[0]!;
  // A nested repository, which git would not add.
  mkdirSync(join(folder, "nested"));
  git(join(folder, "nested"), "init", "--quiet");
  const kept = await keep(1, "branch");
  expect(kept.body).toMatchObject({ how: "branch", branch, commit: git(server.cwd, "rev-parse", branch) });
  expect(git(server.cwd, "show", "--format=%an %s", "--stat", branch)).toMatch(
    /^Reins demo: edit a\.txt[^]*sub\/b\.txt/,
  );
  writeFileSync(join(server.cwd, "a.txt"), "mine\n");
  const dirty = await keep(2, "apply");
  expect([dirty.status, dirty.body.error.message]).toEqual([409, expect.stringContaining("not committed")]);
  expect(readFileSync(join(server.cwd, "a.txt"), "utf8")).toBe("mine\n");
  git(server.cwd, "commit", "--all", "--quiet", "--message=Mine");
  const other = await keep(2, "apply");
  expect([other.status, other.body.error.message]).toEqual([409, expect.stringContaining("do not apply")]);
  expect(existsSync(join(server.cwd, "sub"))).toBe(false);
  git(server.cwd, "reset", "--quiet", "--hard", "HEAD~1");
  expect((await keep(2, "apply")).body).toMatchObject({
    how: "apply",
    files: [{ path: "a.txt" }, { path: "sub/b.txt" }],
  });
  expect(readFileSync(join(server.cwd, "a.txt"), "utf8")).toBe("two\n");
  expect(git(server.cwd, "diff", "--cached")).toBe("");
  // The branch is no longer checked out in the worktree.
  git(server.cwd, "checkout", "--quiet", "--force", branch);
  expect((await server.call(`/api/comparisons/${id}`, { method: "DELETE" })).body).toEqual({ branches: [branch] });
  expect(git(server.cwd, "branch", "--format=%(refname:short)").split("\n")).toEqual(["main", branch]);
});

test("refuses what cannot be compared with one sentence, and leaves nothing behind", async () => {
  const server = await apiServer({ rooted: true });
  const said = async (more: object): Promise<unknown[]> => {
    const { status, body } = await compare(server, "say hi", more);
    const { error } = body as unknown as { error: { code: string; message: string } };
    return [status, error.code, error.message];
  };
  expect(await said({})).toEqual([400, "invalid_input", `The folder ${server.cwd} is not in a git repository.`]);
  git(server.cwd, "init", "--quiet");
  expect(await said({})).toEqual([400, "invalid_input", `The repository ${server.cwd} has no commit yet.`]);
  repository(server.cwd);
  const before = stateOf(server.cwd);
  expect(await said({ entries: [{ agent: "nobody" }] })).toEqual([
    400,
    "invalid_input",
    expect.stringContaining("nobody"),
  ]);
  expect(await said({ entries: [{ agent: "demo" }, { agent: "codex" }] })).toEqual([
    424,
    "not_installed",
    "Codex is not ready, so no agent was started.",
  ]);
  expect(await said({ entries: [{ agent: "cursor-cloud" }] })).toEqual([422, "unsupported", expect.any(String)]);
  // This error is found only after the worktrees were created.
  expect(await said({ entries: [{ agent: "demo" }, { agent: "demo", model: "none" }] })).toContain("model_unknown");
  expect(await said({ entries: [] })).toEqual([400, "invalid_input", expect.any(String)]);
  expect(await said({ entries: Array.from({ length: 9 }, () => ({ agent: "demo" })) })).toContain(400);
  expect(await said({ cwd: "/" })).toContain(403);
  expect(await said({ cwd: join(server.cwd, "none") })).toContain(400);
  mkdirSync(join(server.cwd, "fresh"));
  expect(await said({ cwd: join(server.cwd, "fresh") })).toContain(400);
  expect(stateOf(server.cwd)).toBe(before);
  expect(readdirSync(join(server.cwd, "..", "reins", "comparisons"))).toEqual([]);
  const missing = ["", "/keep/1"].map((rest) => `/api/comparisons/0123456789${rest}`);
  expect((await server.call(missing[0]!)).status).toBe(404);
  expect((await server.call(missing[0]!, { method: "DELETE" })).status).toBe(404);
  expect((await server.call(missing[1]!, { body: { how: "apply" } })).status).toBe(404);
});

test("cleans up after a killed server, and finds its finished comparisons", async () => {
  const server = await apiServer();
  repository(server.cwd);
  const before = stateOf(server.cwd);
  const made = await compared(server, "edit a.txt one -> two");
  const half = await compared(server, "edit a.txt one -> two");
  const home = join(server.cwd, "..", "reins");
  const file = join(home, "comparisons", half.id, "comparison.json");
  const record = JSON.parse(readFileSync(file, "utf8")) as ComparisonRecord;
  const entries = record.entries.map((entry) => ({ ...entry, session: undefined }));
  const owner = { pid: 1, start: "long ago" };
  writeFileSync(file, JSON.stringify({ ...record, entries, owner, phase: "making" }));
  mkdirSync(join(home, "comparisons", "00000000ff"));
  await server.close();
  const next = reopened(home);
  await next.recovered;
  expect(next.all.map(({ id }) => id)).toEqual([made.id]);
  expect(existsSync(half.entries[0]!.folder)).toBe(false);
  expect(readdirSync(join(home, "comparisons"))).toEqual([made.id]);
  const found = await next.details(next.get(made.id));
  expect(found.entries[0]).toMatchObject({ files: [{ path: "a.txt" }], state: "gone" });
  await next.remove(next.get(made.id));
  expect(stateOf(server.cwd)).toBe(before);
});

test("applies the rules of the folder in its worktrees", async () => {
  const server = await apiServer();
  repository(server.cwd);
  // The file is not committed, so it is not in the worktree.
  const policy = { rules: [{ decision: "deny", tool: "edit" }] };
  writeFileSync(join(server.cwd, "reins.config.json"), JSON.stringify({ policy }));
  const { entries } = await compared(server, "edit a.txt one -> two");
  expect(entries[0]).toMatchObject({ files: [], patch: "" });
});
