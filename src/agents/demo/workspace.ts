/** Paths of the demo agent stay inside the folders it was given, whatever links and dots say. */
import type { Location } from "../../events/types.ts";
import type { OpenOptions } from "../contract.ts";
import { ToolProblem } from "../shared/endings.ts";
import { isWithinFolders, realPlace, shownPath as shownFrom } from "../shared/real-path.ts";

/** The real path of a file that is, or could be, inside the workspace. */
export async function insidePath({ cwd, directories = [] }: OpenOptions, path: string): Promise<string> {
  const real = await realPlace(cwd, path);
  if (await isWithinFolders(real, [cwd, ...directories])) return real;
  throw new ToolProblem(`${path} is outside the workspace.`);
}

/** Where a tool works, for people; throws when it is outside the workspace. */
export async function locate(options: OpenOptions, path: string): Promise<Location[]> {
  await insidePath(options, path);
  return [{ path: shownPath(options, path) }];
}

/** A path as people see it: relative to the workspace where it is inside. */
export function shownPath({ cwd }: OpenOptions, path: string): string {
  return shownFrom(cwd, path);
}
