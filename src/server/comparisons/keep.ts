/** What a person likes of a comparison: committed on its branch, or put into their folder. */
import { rm, stat } from "node:fs/promises";
import { HttpError } from "../http-error.ts";
import { changesOf, writePatch } from "./changes.ts";
import type { Changes } from "./changes.ts";
import { complaintOf } from "./git.ts";
import type { Git } from "./git.ts";
import type { ComparisonRecord, EntryRecord } from "./record.ts";
import { changedIn } from "./repository.ts";
import { placeOf } from "./worktree.ts";

const could = "Git could not commit this";

/**
 * Just what is shown as changed becomes one commit on its branch, after those that the agent made itself. The worktree lets go of the branch, so
 * that the person can check it out. The commit.
 */
export async function commitOnBranch(git: Git, record: ComparisonRecord, entry: EntryRecord): Promise<string> {
  const place = placeOf(entry);
  const ask = async (...args: string[]): Promise<string> => (await git.do(place, could, ...args)).trim();
  await ask("add", "--update");
  const tree = await ask("write-tree");
  let commit = await ask("rev-parse", "--verify", "HEAD^{commit}");
  if (tree !== (await ask("rev-parse", "HEAD^{tree}"))) {
    const [line = ""] = record.prompt.trim().split("\n");
    const message = `${entry.agent}: ${line.slice(0, 200)}`;
    commit = await ask(...(await identity(git, record)), "commit-tree", tree, "-p", commit, "-m", message);
  }
  const own = { cwd: place.cwd, gitDir: place.gitDir };
  await git.do(own, could, "checkout", "--quiet", "--detach");
  const moved = await git.try(own, "branch", "--quiet", "--no-track", "--force", entry.branch, commit);
  if (moved.code !== 0)
    throw new HttpError(409, "invalid_input", `The branch ${entry.branch} cannot be set: ${complaintOf(moved)}.`);
  return commit;
}

/** All of it or nothing, and only where no change of the person's could be mixed with it. */
export async function applyTo(git: Git, record: ComparisonRecord, entry: EntryRecord): Promise<object> {
  const { top, base } = record;
  const instead = "Keep its branch instead, and merge that.";
  if ((await changedIn(git, top, "no")).length > 0)
    throw new HttpError(409, "invalid_input", `The folder ${top} has changes that are not committed.`, {
      help: "Commit them first, or keep its branch and merge that.",
    });
  const path = `${placeOf(entry).index}.patch`;
  try {
    await writePatch(git, base, entry, path);
    const applied = await git.try({ cwd: top }, "apply", "--whitespace=nowarn", path);
    if (applied.code === 0) return {};
    throw new HttpError(409, "invalid_input", `This does not fit on what ${top} has now: ${complaintOf(applied)}.`, {
      help: instead,
    });
  } finally {
    await rm(path, { force: true });
  }
}

export async function changesToKeep(git: Git, { base }: ComparisonRecord, entry: EntryRecord): Promise<Changes> {
  if ((await stat(entry.folder).catch(() => undefined)) === undefined)
    throw new HttpError(409, "invalid_input", `The worktree of entry ${entry.number} is not there any more.`);
  const changes = await changesOf(git, base, entry);
  if (changes.files.length > 0) return changes;
  throw new HttpError(409, "invalid_input", `Entry ${entry.number} has changed nothing.`);
}

/** The person's own, where git knows who they are. */
async function identity(git: Git, { top }: ComparisonRecord): Promise<readonly string[]> {
  const known = await Promise.all(["user.name", "user.email"].map((name) => git.try({ cwd: top }, "config", name)));
  if (known.every(({ code, stdout }) => code === 0 && stdout.trim() !== "")) return [];
  return ["-c", "user.name=Reins", "-c", "user.email=reins@localhost"];
}
