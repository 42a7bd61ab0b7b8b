/** Where an edit needs nobody's word once somebody said "always": inside the workspace, and in nothing hidden. */
import { lstatSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, basename, relative, resolve, sep } from "node:path";

/** What is hidden makes other programs run: hooks of git, tasks of an editor, settings of an agent. */
export function isOrdinaryPlace(path: string, folders: readonly string[], cwd: string): boolean {
  const real = realPath(resolve(cwd, path));
  if (real === undefined) return false;
  return folders.some((folder) => {
    const root = realPath(folder);
    const way = root === undefined ? ".." : relative(root, real);
    return way !== "" && !isAbsolute(way) && !way.split(sep).some((part) => part.startsWith("."));
  });
}

/** Where it really leads; for a file that is not there yet, where its nearest folder does. A link that leads nowhere is no place. */
function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    if (dirname(path) === path || isLink(path)) return undefined;
    const folder = realPath(dirname(path));
    return folder === undefined ? undefined : join(folder, basename(path));
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}
