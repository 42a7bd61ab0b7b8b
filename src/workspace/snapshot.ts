/**
 * Law 9: finds changes that a shell or another tool made without reporting them, by asking git, if the folder is a repository. The first
 * snapshot is taken when the first such tool is about to start, so that a turn without one costs nothing.
 */
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { Tool } from "../events/tools.ts";
import type { Processes } from "../process/types.ts";
import { openGit } from "./git.ts";

export interface Change {
  readonly path: string;
  readonly op: "create" | "modify" | "delete";
}

/** True for tools that may change files without reporting it. */
export function mayChangeUnreported(tool: Tool): boolean {
  return (
    tool === "shell" || tool === "mcp" || tool === "other" || tool === "task" || tool === "delete" || tool === "move"
  );
}

export interface Snapshot {
  readonly head: string | undefined;
  /**
   * Each path that git reports as changed or new: its status, and a stamp that shows whether it changed again ("" if the file is missing).
   */
  readonly dirty: ReadonlyMap<string, { readonly status: string; readonly stamp: string }>;
}

export interface Repository {
  /** Returns undefined if the folder is no repository or git is not installed. */
  snapshot(): Promise<Snapshot | undefined>;
  changesSince(before: Snapshot): Promise<readonly Change[] | undefined>;
}

export function openRepository(
  processes: Processes,
  cwd: string,
  parentEnv: Readonly<Record<string, string | undefined>>,
): Repository {
  const git = openGit(processes, cwd, parentEnv);

  async function snapshot(): Promise<Snapshot | undefined> {
    try {
      const [status, where] = await Promise.all([
        git.compare(
          "status",
          "--porcelain=v1",
          "-z",
          "--untracked-files=all",
          "--no-renames",
          "--ignore-submodules=all",
          "--",
          ".",
        ),
        git("rev-parse", "--show-prefix", "HEAD"),
      ]);
      if (status?.code !== 0 || where === undefined) return undefined;
      const [prefix = "", head] = where.stdout.split("\n");
      const dirty = new Map<string, { status: string; stamp: string }>();
      for (const entry of status.stdout.split("\0")) {
        if (entry.length < 4) continue;
        const path = entry.slice(3);
        const here = path.startsWith(prefix) ? path.slice(prefix.length) : path;
        dirty.set(here, { status: entry.slice(0, 2), stamp: await stampOf(join(cwd, here)) });
      }
      return { head: where.code === 0 ? head : undefined, dirty };
    } catch {
      return undefined;
    }
  }

  async function changesSince(before: Snapshot): Promise<readonly Change[] | undefined> {
    const after = await snapshot();
    if (after === undefined) return undefined;
    const changes = new Map<string, Change>();
    const note = (path: string, op: Change["op"]) => changes.set(path, { path, op });
    if (before.head !== undefined && after.head !== undefined && before.head !== after.head) {
      const diff = await git("diff", "--name-status", "-z", "--no-renames", "--relative", before.head, after.head);
      if (diff === undefined) return undefined;
      const fields = diff.stdout.split("\0");
      for (let i = 0; i + 1 < fields.length; i += 2) {
        // A file that was already dirty and was only committed did not change.
        const path = fields[i + 1]!;
        if (before.dirty.get(path)?.stamp === (await stampOf(join(cwd, path)))) continue;
        note(path, fields[i] === "A" ? "create" : fields[i] === "D" ? "delete" : "modify");
      }
    }
    for (const [path, now] of after.dirty) {
      const then = before.dirty.get(path);
      if (then?.stamp === now.stamp) continue;
      note(path, now.stamp === "" ? "delete" : then === undefined && now.status === "??" ? "create" : "modify");
    }
    for (const [path, then] of before.dirty) {
      if (after.dirty.has(path) || changes.has(path)) continue;
      const stamp = await stampOf(join(cwd, path));
      if (stamp !== then.stamp) note(path, stamp === "" ? "delete" : "modify");
    }
    return [...changes.values()];
  }

  return { snapshot, changesSince: (before) => changesSince(before).catch(() => undefined) };
}

async function stampOf(path: string): Promise<string> {
  try {
    const { mtimeMs, size } = await lstat(path);
    return `${mtimeMs}:${size}`;
  } catch {
    return "";
  }
}
