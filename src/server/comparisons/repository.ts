/** What a folder is to git: whether agents can be given a worktree of it. */
import { realpath } from "node:fs/promises";
import { ReinsError } from "../../events/errors.ts";
import { complaintOf } from "./git.ts";
import type { Git } from "./git.ts";

export interface Repository {
  /** Where its work tree begins. */
  readonly top: string;
  /** The way from there to the folder that was named; "" or with a slash at its end. */
  readonly prefix: string;
  /** Where git keeps it. */
  readonly common: string;
  /** The commit that is checked out. */
  readonly base: string;
  /** How many files have changes that are in no commit. */
  readonly uncommitted: number;
}

export async function repositoryAt(git: Git, folder: string): Promise<Repository> {
  const cwd = await realpath(folder).catch(() => folder);
  const facts = ["--show-toplevel", "--git-common-dir", "--show-prefix"];
  const found = await git.try({ cwd }, "rev-parse", "--path-format=absolute", ...facts);
  if (found.code !== 0) {
    const none = found.stderr.includes("not a git repository") || found.stderr.includes("must be run in a work tree");
    throw new ReinsError(
      "invalid_input",
      none ? `The folder ${folder} is not in a git repository.` : `Git cannot use ${folder}: ${complaintOf(found)}.`,
      none ? { help: "Each agent works in a git worktree of its own: run `git init` there, and commit." } : {},
    );
  }
  const [top = "", common = "", prefix = ""] = found.stdout.split("\n");
  const head = await git.try({ cwd }, "rev-parse", "--verify", "--quiet", "HEAD^{commit}");
  if (head.code !== 0)
    throw new ReinsError("invalid_input", `The repository ${top} has no commit yet.`, {
      help: "The agents begin from the last commit: make one.",
    });
  const base = head.stdout.trim();
  if (prefix !== "" && (await git.try({ cwd }, "cat-file", "-e", `${base}:${prefix.slice(0, -1)}`)).code !== 0)
    throw new ReinsError("invalid_input", `The folder ${folder} is not part of the last commit.`, {
      help: "The agents begin from the last commit: commit what they need.",
    });
  return { top, prefix, common, base, uncommitted: (await changedIn(git, top, "normal")).length };
}

/** The paths that are other than in the last commit. */
export async function changedIn(git: Git, top: string, untracked: "normal" | "no"): Promise<readonly string[]> {
  const args = [
    "status",
    "--porcelain",
    "-z",
    "--no-renames",
    "--ignore-submodules=dirty",
    `--untracked-files=${untracked}`,
  ];
  const { code, stdout, ...rest } = await git.try({ cwd: top }, ...args);
  if (code !== 0)
    throw new ReinsError("invalid_input", `Git cannot compare ${top}: ${complaintOf({ code, stdout, ...rest })}.`);
  return stdout
    .split("\0")
    .filter((line) => line !== "")
    .map((line) => line.slice(3));
}
