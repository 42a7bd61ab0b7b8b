import { readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/** Whether a path lies in one of the folders, links followed; a file that is not there yet lies where its folder does. */
export function isInside(path: string, folders: readonly string[], cwd: string): boolean {
  return waysTo(path, folders, cwd).length > 0;
}

/** Whether a path inside the folders is hidden, or in something hidden, seen from any of them. */
export function isHidden(path: string, folders: readonly string[], cwd: string): boolean {
  return waysTo(path, folders, cwd).some((way) => way.split(sep).some((part) => part.startsWith(".")));
}

/** The way to a path from each folder that it lies in. */
function waysTo(path: string, folders: readonly string[], cwd: string): string[] {
  const real = realPath(resolve(cwd, path));
  return folders
    .map((folder) => relative(realPath(folder), real))
    .filter((way) => way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** As many links in a row as Linux follows. */
const mostLinks = 40;

/** Links followed, also those above what is not there yet. */
export function realPath(path: string): string {
  const rest: string[] = [];
  let links = 0;
  for (let at = path; ;) {
    try {
      return join(realpathSync(at), ...rest);
    } catch {
      // A link that leads nowhere yet is followed by whoever writes there.
      const target = linkAt(at);
      const folder = dirname(at);
      if (folder === at || links > mostLinks) return sep;
      if (target === undefined) rest.unshift(basename(at));
      else links++;
      at = target === undefined ? folder : resolve(realpathSync(folder), target);
    }
  }
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
