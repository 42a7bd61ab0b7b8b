import { realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/** Whether a path lies in one of the folders, links followed; a file that is not there yet lies where its folder does. */
export function isInside(path: string, folders: readonly string[], cwd: string): boolean {
  const real = realPath(resolve(cwd, path));
  return folders.some((folder) => {
    const from = relative(realPath(folder), real);
    return from !== ".." && !from.startsWith(`..${sep}`) && !isAbsolute(from);
  });
}

function realPath(path: string): string {
  const rest: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    try {
      return join(realpathSync(at), ...rest);
    } catch {
      if (at === dirname(at)) return path;
      rest.unshift(at.slice(dirname(at).length).replace(sep, ""));
    }
  }
}
