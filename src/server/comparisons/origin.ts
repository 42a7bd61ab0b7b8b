/** A worktree of ours stands for the repository it is of: whoever may work in the one may work in the other. */
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { realPath } from "../../core/inside.ts";
import type { Records } from "./record.ts";

/** The path in the person's own work tree; what lies in no worktree of ours is itself. Links are followed first. */
export function originIn(folder: string, records: Records, path: string): string {
  if (records.all.length === 0) return path;
  const real = realPath(resolve("/", path));
  const [id = ""] = relative(realPath(folder), real).split(sep);
  const record = records.get(id);
  for (const entry of record?.entries ?? []) {
    const way = relative(realPath(entry.folder), real);
    if (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way)) return join(record!.top, way);
  }
  return path;
}
