/** Shortens paths for people and events; accepts both kinds of slash. Never use these for security decisions. */

/** Makes a path inside the workspace relative. A path with `..` stays unchanged: behind a symlink it means another path. */
export function displayPath(path: string, cwd: string): string {
  const folder = cwd.replace(/[/\\]+$/, "");
  const rest = path.startsWith(folder) ? path.slice(folder.length) : "";
  if (!/^[/\\]+[^/\\]/.test(rest) || rest.split(/[/\\]/).includes("..")) return path;
  return rest.replace(/^[/\\]+/, "");
}

const longest = 40;

/** For titles: cuts a long path to its last two parts. */
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
