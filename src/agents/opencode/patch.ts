/** The patches of its tool `apply_patch`. */

/** The files a patch is about, in its order. */
export function patchedFiles(patch: string): string[] {
  const files: string[] = [];
  for (const [, path] of patch.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm))
    if (path !== undefined) files.push(path.trim());
  return [...new Set(files)];
}

/** The hunks of a diff under the path as it stands everywhere in Reins; OpenCode's header has an absolute one. */
export function hunksOf(diff: string | undefined, path: string): string | undefined {
  const start = diff?.search(/^@@ /m) ?? -1;
  return start < 0 ? undefined : `--- a/${path}\n+++ b/${path}\n${diff!.slice(start)}`;
}
