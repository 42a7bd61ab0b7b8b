/** One worktree, beside the person's own: made, and removed with its branch. */
import { copyFile, mkdir, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { HttpError } from "../http-error.ts";
import type { Git, Place } from "./git.ts";
import type { ComparisonRecord, EntryRecord } from "./record.ts";

/** An index of ours, in which an agent's `git add` changes nothing. */
const indexOf = ({ folder }: EntryRecord): string => `${dirname(folder)}.index`;

/** Throws where git keeps no worktree for it. */
export function placeOf(entry: EntryRecord): Place & { readonly index: string } {
  const { folder, gitDir } = entry;
  if (gitDir === undefined) throw new HttpError(409, "invalid_input", `Entry ${entry.number} has no worktree.`);
  return { cwd: folder, gitDir, index: indexOf(entry) };
}

export async function addWorktree(git: Git, { top, base }: ComparisonRecord, entry: EntryRecord): Promise<EntryRecord> {
  const { folder, branch } = entry;
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
  const could = "Git could not make a worktree";
  await git.do({ cwd: top }, could, "worktree", "add", "--no-checkout", "--no-track", "-b", branch, folder, base);
  const gitDir = (await git.do({ cwd: folder }, could, "rev-parse", "--absolute-git-dir")).trim();
  // Only there it can be known which filters its configuration has: some of it may be for one branch or folder.
  await git.do({ cwd: folder, gitDir }, could, "reset", "--quiet", "--hard");
  // With what it knows of the files: nothing has to be read again to compare.
  await copyFile(`${gitDir}/index`, indexOf(entry));
  return { ...entry, gitDir };
}

/** Also what is there in part. True where its branch is gone: it stays while somebody has it checked out. */
export async function removeWorktree(git: Git, record: ComparisonRecord, entry: EntryRecord): Promise<boolean> {
  const { folder, branch, kept } = entry;
  await rm(dirname(folder), { recursive: true, force: true, maxRetries: 3 });
  const place = { cwd: record.top };
  // With the repository all that git knew of the worktree is gone.
  if ((await stat(record.top).catch(() => undefined)) === undefined) return true;
  // Forced twice: also where the agent has locked it.
  await git.try(place, "worktree", "remove", "--force", "--force", folder);
  if (kept?.branch !== undefined) return false;
  await git.try(place, "branch", "--quiet", "-D", branch);
  return (await git.try(place, "rev-parse", "--verify", "--quiet", `refs/heads/${branch}`)).code !== 0;
}

/** Of what was ended in the middle. */
export async function forgetLocks({ entries }: ComparisonRecord): Promise<void> {
  for (const entry of entries) {
    const { gitDir } = entry;
    const indexes = [indexOf(entry), ...(gitDir === undefined ? [] : [`${gitDir}/index`])];
    for (const index of indexes) await rm(`${index}.lock`, { force: true });
  }
}
