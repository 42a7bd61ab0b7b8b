/** A worktree of a comparison: create, compare, keep, remove. */
import { copyFile, mkdir, open, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { ReinsError } from "../../events/errors.ts";
import { changedIn, complaintOf, type Git, type Place } from "./git.ts";
import type { ComparisonRecord, EntryRecord } from "./record.ts";
import type { ChangedFile, KeptEntry } from "./types.ts";

/** A separate index file, which the agent's `git add` does not change. */
const indexOf = ({ folder }: EntryRecord): string => `${dirname(folder)}.index`;

export function placeOf(entry: EntryRecord): Place & { readonly index: string } {
  const { folder, gitDir } = entry;
  if (gitDir === undefined) throw new ReinsError("invalid_input", `Entry ${entry.number} has no worktree.`);
  return { cwd: folder, gitDir, index: indexOf(entry) };
}

export async function addWorktree(git: Git, { top, base }: ComparisonRecord, entry: EntryRecord): Promise<EntryRecord> {
  const { folder, branch } = entry;
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
  const could = "Git could not make a worktree";
  await git.do({ cwd: top }, could, "worktree", "add", "--no-checkout", "--no-track", "-b", branch, folder, base);
  const gitDir = (await git.do({ cwd: folder }, could, "rev-parse", "--absolute-git-dir")).trim();
  // Read the filters in the worktree: some configuration applies to one branch or folder only.
  await git.do({ cwd: folder, gitDir }, could, "reset", "--quiet", "--hard");
  // The copied index has the file stats, so comparing need not read the files again.
  await copyFile(`${gitDir}/index`, indexOf(entry));
  return { ...entry, gitDir };
}

/** Also removes a partly created worktree. Returns false when its branch stays, because it is kept or checked out. */
export async function removeWorktree(git: Git, record: ComparisonRecord, entry: EntryRecord): Promise<boolean> {
  const { folder, branch, kept } = entry;
  await rm(dirname(folder), { recursive: true, force: true, maxRetries: 3 });
  const place = { cwd: record.top };
  // The repository was deleted, and the worktree's git data with it.
  if ((await stat(record.top).catch(() => undefined)) === undefined) return true;
  // Two `--force` also remove a worktree that the agent has locked.
  await git.try(place, "worktree", "remove", "--force", "--force", folder);
  if (kept?.branch !== undefined) return false;
  await git.try(place, "branch", "--quiet", "-D", branch);
  return (await git.try(place, "rev-parse", "--verify", "--quiet", `refs/heads/${branch}`)).code !== 0;
}

export async function forgetLocks({ entries }: ComparisonRecord): Promise<void> {
  for (const entry of entries) {
    const { gitDir } = entry;
    const indexes = [indexOf(entry), ...(gitDir === undefined ? [] : [`${gitDir}/index`])];
    for (const index of indexes) await rm(`${index}.lock`, { force: true });
  }
}

const shownBytes = 1024 * 1024;
const cannotCompare = "Git could not compare the worktree";
const diff = ["diff", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--submodule=short", "-U3"];
const asPatch = ["--patch", "--full-index", "--src-prefix=a/", "--dst-prefix=b/"];

export interface Changes {
  readonly files: readonly ChangedFile[];
  readonly patch: string;
  readonly cut: boolean;
}

export async function changesOf(git: Git, base: string, entry: EntryRecord): Promise<Changes> {
  await noteNew(git, entry);
  const place = placeOf(entry);
  const said = `${place.index}.out`;
  try {
    await git.do(place, cannotCompare, ...diff, "--raw", "--numstat", "-z", ...asPatch, `--output=${said}`, base);
    const { text, cut } = await readUpTo(said, shownBytes);
    // Paths are never empty, so two NULs end the list.
    const end = text.indexOf("\0\0");
    return { files: filesOf(end < 0 ? text : text.slice(0, end)), patch: end < 0 ? "" : text.slice(end + 2), cut };
  } finally {
    await rm(said, { force: true });
  }
}

export async function writePatch(git: Git, base: string, entry: EntryRecord, path: string): Promise<void> {
  await noteNew(git, entry);
  await git.do(placeOf(entry), cannotCompare, ...diff, ...asPatch, "--binary", `--output=${path}`, base);
}

/** Adds new files to the index, so that they are compared too. Nested repositories are left out. */
async function noteNew(git: Git, entry: EntryRecord): Promise<void> {
  const place = placeOf(entry);
  const stdout = await git.do(place, cannotCompare, "ls-files", "-z", "--others", "--exclude-standard");
  const paths = stdout.split("\0").filter((path) => path !== "" && !path.endsWith("/"));
  if (paths.length === 0) return;
  const list = `${place.index}.new`;
  await writeFile(list, paths.join("\0"), { mode: 0o600 });
  await git.do(place, cannotCompare, "add", "--intent-to-add", `--pathspec-from-file=${list}`, "--pathspec-file-nul");
  await rm(list, { force: true });
}

async function readUpTo(path: string, most: number): Promise<{ text: string; cut: boolean }> {
  await using file = await open(path);
  const { size } = await file.stat();
  const buffer = Buffer.alloc(Math.min(size, most));
  await file.read(buffer, 0, buffer.length, 0);
  const cut = size > most;
  const text = buffer.subarray(0, cut ? buffer.lastIndexOf(0x0a) + 1 : buffer.length).toString("utf8");
  return { text, cut };
}

const changes: Readonly<Record<string, ChangedFile["change"]>> = { A: "added", D: "deleted" };

/** Parses `:modes and names STATUS`, path; then `added TAB removed TAB path`, with `-` for binary files. */
function filesOf(text: string): readonly ChangedFile[] {
  const files = new Map<string, ChangedFile>();
  const fields = text.split("\0");
  for (let at = 0; at < fields.length; at++) {
    const field = fields[at]!;
    if (field.startsWith(":")) {
      const path = fields[++at] ?? "";
      files.set(path, { path, change: changes[field.at(-1)!] ?? "modified" });
      continue;
    }
    const [, added, removed, path] = /^(\d+)\t(\d+)\t(.*)$/s.exec(field) ?? [];
    const file = path === undefined ? undefined : files.get(path);
    if (file !== undefined) files.set(file.path, { ...file, added: Number(added), removed: Number(removed) });
  }
  return [...files.values()];
}

type Kept = Partial<KeptEntry>;
const cannotCommit = "Git could not commit this";

/**
 * Commits exactly the shown changes on the entry's branch, after the agent's own commits. The worktree detaches from
 * the branch, so that the user can check it out.
 */
export async function commitOnBranch(git: Git, record: ComparisonRecord, entry: EntryRecord): Promise<Kept> {
  const place = placeOf(entry);
  const ask = async (...args: string[]): Promise<string> => (await git.do(place, cannotCommit, ...args)).trim();
  await ask("add", "--update");
  const tree = await ask("write-tree");
  let commit = await ask("rev-parse", "--verify", "HEAD^{commit}");
  if (tree !== (await ask("rev-parse", "HEAD^{tree}"))) {
    const [line = ""] = record.prompt.trim().split("\n");
    const message = `${entry.agent}: ${line.slice(0, 200)}`;
    commit = await ask(...(await identity(git, record)), "commit-tree", tree, "-p", commit, "-m", message);
  }
  const own = { cwd: place.cwd, gitDir: place.gitDir };
  await git.do(own, cannotCommit, "checkout", "--quiet", "--detach");
  const moved = await git.try(own, "branch", "--quiet", "--no-track", "--force", entry.branch, commit);
  if (moved.code !== 0)
    throw new ReinsError("invalid_input", `The branch ${entry.branch} cannot be set: ${complaintOf(moved)}.`);
  return { branch: entry.branch, commit };
}

/** Applies all changes or none, and only to a clean work tree. */
export async function applyTo(git: Git, record: ComparisonRecord, entry: EntryRecord): Promise<Kept> {
  const { top, base } = record;
  if ((await changedIn(git, top, "no")).length > 0)
    throw new ReinsError("invalid_input", `The folder ${top} has changes that are not committed.`, {
      help: "Commit them first, or keep its branch and merge that.",
    });
  const path = `${placeOf(entry).index}.patch`;
  try {
    await writePatch(git, base, entry, path);
    const applied = await git.try({ cwd: top }, "apply", "--whitespace=nowarn", path);
    if (applied.code === 0) return {};
    throw new ReinsError(
      "invalid_input",
      `The changes do not apply to the current files in ${top}: ${complaintOf(applied)}.`,
      {
        help: "Keep its branch instead, and merge that.",
      },
    );
  } finally {
    await rm(path, { force: true });
  }
}

export async function changesToKeep(git: Git, { base }: ComparisonRecord, entry: EntryRecord): Promise<Changes> {
  if ((await stat(entry.folder).catch(() => undefined)) === undefined)
    throw new ReinsError("invalid_input", `The worktree of entry ${entry.number} is not there any more.`);
  const changes = await changesOf(git, base, entry);
  if (changes.files.length > 0) return changes;
  throw new ReinsError("invalid_input", `Entry ${entry.number} has changed nothing.`);
}

/** Uses the user's own name if git knows it. */
async function identity(git: Git, { top }: ComparisonRecord): Promise<readonly string[]> {
  const known = await Promise.all(["user.name", "user.email"].map((name) => git.try({ cwd: top }, "config", name)));
  if (known.every(({ code, stdout }) => code === 0 && stdout.trim() !== "")) return [];
  return ["-c", "user.name=Reins", "-c", "user.email=reins@localhost"];
}
