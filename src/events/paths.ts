/** How a path is written for people and in events. Pure, for either kind of slash; nothing is decided from it. */

/**
 * Relative to the workspace where it is inside; else as it is. A path with `..` stays as it is too: behind a link it is another path than the
 * one it looks like.
 */
export function displayPath(path: string, cwd: string): string {
  const folder = cwd.replace(/[/\\]+$/, "");
  const rest = path.startsWith(folder) ? path.slice(folder.length) : "";
  if (!/^[/\\]+[^/\\]/.test(rest) || rest.split(/[/\\]/).includes("..")) return path;
  return rest.replace(/^[/\\]+/, "");
}

const longest = 40;

/** As in titles: with its last two parts only where it is long. */
export function shownPath(path: string, cwd: string): string {
  const inside = relativePath(path, cwd);
  if (inside.length <= longest) return inside;
  const parts = inside.split(/[/\\]/).filter((part) => part !== "");
  return parts.length > 2 ? `…/${parts.slice(-2).join("/")}` : inside;
}

function relativePath(path: string, cwd: string): string {
  const folder = cwd.replace(/[/\\]+$/, "");
  const rest = path.startsWith(folder) ? path.slice(folder.length) : undefined;
  if (rest === undefined || (rest !== "" && !/^[/\\]/.test(rest))) return path.replace(/^(?:\.[/\\])+(?=.)/, "");
  return rest.replace(/^[/\\]+/, "") || ".";
}
