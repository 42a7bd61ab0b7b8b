/** Real git repositories for tests. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const env = {
  PATH: process.env["PATH"],
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "A Person",
  GIT_AUTHOR_EMAIL: "person@example.com",
  GIT_COMMITTER_NAME: "A Person",
  GIT_COMMITTER_EMAIL: "person@example.com",
};

/** Runs git as a person would, with hooks. */
export function git(cwd: string, ...args: string[]): string {
  return execFileSync("git", args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trimEnd();
}

/** A repository with one commit of `a.txt`, which contains "one". */
export function repository(cwd: string): void {
  git(cwd, "init", "--quiet", "--initial-branch=main");
  writeFileSync(join(cwd, "a.txt"), "one\n");
  git(cwd, "add", "--all");
  git(cwd, "commit", "--quiet", "--message=First");
}

/** The same with a remote that has the commit. */
export function publishedRepository(cwd: string): void {
  repository(cwd);
  git(cwd, "remote", "add", "origin", "https://example.com/team/project.git");
  git(cwd, "update-ref", "refs/remotes/origin/main", "HEAD");
}

/** The state that must not change: branches, staged and changed files. */
export function stateOf(cwd: string): string {
  return [
    git(cwd, "for-each-ref", "--format=%(refname) %(objectname)"),
    git(cwd, "symbolic-ref", "HEAD"),
    git(cwd, "status", "--porcelain"),
    git(cwd, "worktree", "list", "--porcelain"),
  ].join("\n");
}
