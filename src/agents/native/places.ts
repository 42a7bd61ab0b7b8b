/** Where a call looks or works, links followed; and whether that is inside the workspace. */
import { basename, dirname, join, relative, sep } from "node:path";
import { realpath } from "node:fs/promises";
import { ToolProblem } from "../shared/endings.ts";
import { isOutside, isWithinFolders, realPlace, shownPath } from "../shared/real-path.ts";
import type { Place, Running } from "./tools/definition.ts";
import type { Turn } from "./turn.ts";

/** `entry`: the path itself, and not what it leads to where it is a link. */
export interface Following {
  readonly entry?: boolean;
}

export async function placeOf({ desk }: Turn, path: string, { entry = false }: Following = {}): Promise<Place> {
  const { cwd, directories = [] } = desk.options;
  const folders = [cwd, ...directories];
  const real = entry ? join(await realPlace(cwd, dirname(path)), basename(path)) : await realPlace(cwd, path);
  return { path, real, inside: await isWithinFolders(real, folders), hidden: await isHidden(real, folders) };
}

/**
 * The real path to work on. Looked at again when the call runs: a person may have taken minutes to say yes, and what was a folder
 * then may be a link now.
 */
export async function workPlace(
  turn: Turn,
  path: string,
  { allowedPlaces }: Running,
  following: Following = {},
): Promise<string> {
  const { real, inside } = await placeOf(turn, path, following);
  if (inside || allowedPlaces.some((place) => place.real === real)) return real;
  throw new ToolProblem(`${path} is outside the workspace.`, "denied");
}

export function shown({ desk }: Turn, path: string): string {
  return shownPath(desk.options.cwd, path) || ".";
}

async function isHidden(real: string, folders: readonly string[]): Promise<boolean> {
  for (const folder of folders) {
    const way = relative(await realpath(folder), real);
    if (!isOutside(way) && way.split(sep).some((part) => part.startsWith("."))) return true;
  }
  return false;
}
