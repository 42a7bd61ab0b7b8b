import { isAbsolute, relative, sep } from "node:path";

/** Relative to the workspace where it is inside, as everywhere in Reins; else as it is. */
export function workspacePath(path: string, cwd: string): string {
  if (!isAbsolute(path)) return path;
  const inside = relative(cwd, path);
  return inside === "" || inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? path : inside;
}
