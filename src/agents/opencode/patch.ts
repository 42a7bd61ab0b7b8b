/** The patches of its tool `apply_patch`. */

/** The files a patch is about, in its order. */
export function patchedFiles(patch: string): string[] {
  const files: string[] = [];
  for (const [, path] of patch.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm))
    if (path !== undefined) files.push(path.trim());
  return [...new Set(files)];
}
