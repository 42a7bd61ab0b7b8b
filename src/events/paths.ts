/** How a path is shown: relative to the workspace, and with its last two parts only where it is long. Pure, for either kind of slash. */
const longest = 40;

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
