/** The folder of a run: the current one, another, or a new worktree. */
import { spawnSync } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { Arguments } from "./arguments.ts";
import { Ending } from "./output.ts";
import { worktreePath } from "./places.ts";

export function workspaceOf(given: Arguments): string {
  const folder = resolve(given.value("workspace") ?? ".");
  if (!existsSync(folder)) throw new Ending(1, `Error: Workspace path does not exist: ${folder}`);
  const cwd = realpathSync(folder);
  return given.is.has("worktree") ? worktreeOf(cwd, given) : cwd;
}

function worktreeOf(cwd: string, given: Arguments): string {
  const name = given.value("worktree") || `agent-${process.pid}`;
  const path = worktreePath(basename(cwd), name);
  if (existsSync(path)) return path;
  const base = given.value("worktreeBase") ?? "HEAD";
  const { status, stderr } = spawnSync("git", ["worktree", "add", "--detach", path, base], { cwd, encoding: "utf8" });
  if (status !== 0) throw new Ending(1, `Error: Cannot create the worktree: ${stderr.trim()}`);
  return path;
}
