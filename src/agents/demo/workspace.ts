/** Paths of the demo agent stay inside the folders it was given, whatever links and dots say. */
import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Location } from "../../events/types.ts";
import type { OpenOptions } from "../contract.ts";
import { ToolProblem } from "./endings.ts";

/** The real path of a file that is, or could be, inside the workspace. */
export async function insidePath(options: OpenOptions, path: string): Promise<string> {
  if (path.includes("\0")) throw new ToolProblem("A path has no zero bytes.");
  const real = await realTarget(resolve(options.cwd, path), path);
  for (const folder of [options.cwd, ...(options.directories ?? [])]) {
    if (!isOutside(relative(await realpath(folder), real))) return real;
  }
  throw new ToolProblem(`${path} is outside the workspace.`);
}

/** Where a tool works, for people; throws when it is outside the workspace. */
export async function locate(options: OpenOptions, path: string): Promise<Location[]> {
  await insidePath(options, path);
  return [{ path: shownPath(options, path) }];
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

/** A path as people see it: relative to the workspace where it is inside. */
export function shownPath(options: OpenOptions, path: string): string {
  const way = relative(options.cwd, resolve(options.cwd, path));
  return isOutside(way) ? resolve(options.cwd, path) : way;
}

function isOutside(way: string): boolean {
  return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way);
}
