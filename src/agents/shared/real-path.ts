/** Where a path really leads, whatever links and dots say: for agents that touch files in this process. */
import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { ToolProblem } from "./endings.ts";

/** The real path of a file that is there or could be; `asked` is how it was named. */
export async function realPlace(cwd: string, asked: string): Promise<string> {
  if (asked.includes("\0")) throw new ToolProblem("A path has no zero bytes.");
  return realTarget(resolve(cwd, asked), asked);
}

/** Whether a real path lies in one of these folders. */
export async function isWithinFolders(real: string, folders: readonly string[]): Promise<boolean> {
  for (const folder of folders) if (!isOutside(relative(await realpath(folder), real))) return true;
  return false;
}

/** A path as people see it: relative to the folder where it is inside. */
export function shownPath(cwd: string, path: string): string {
  const way = relative(cwd, resolve(cwd, path));
  return isOutside(way) ? resolve(cwd, path) : way;
}

export function isOutside(way: string): boolean {
  return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way);
}

/** For a file that does not exist yet, the real path of the nearest folder that does, and the rest. */
async function realTarget(path: string, asked: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" || dirname(path) === path)
      throw new ToolProblem(`${asked} cannot be reached (${code}).`, "error", code);
    // A link that leads nowhere yet would be followed when the file is made.
    if (await isLink(path)) throw new ToolProblem(`${asked} is a link that leads nowhere.`);
    return join(await realTarget(dirname(path), asked), basename(path));
  }
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch {
    return false;
  }
}
