/** The folders that a session may be about, those that were used last first. Pure. */
import type { MeAnswer } from "../../server/schemas/access.ts";
import type { SessionSummary } from "../../server/schemas/sessions.ts";

const most = 30;

export function knownFolders(
  me: Pick<MeAnswer, "cwd" | "roots"> | undefined,
  sessions: readonly Pick<SessionSummary, "cwd">[],
): readonly string[] {
  if (me === undefined) return [];
  const all = [me.cwd, ...me.roots, ...sessions.map(({ cwd }) => cwd)].filter((folder) => isWithin(me.roots, folder));
  return [...new Set(all)].slice(0, most);
}

/** What fits to what is typed: those that are known, then those that complete it. */
export function offeredFolders(typed: string, known: readonly string[], below: readonly string[]): readonly string[] {
  const fitting = known.filter((folder) => folder.includes(typed));
  return [...new Set([...fitting, ...below])].filter((folder) => folder !== typed);
}

/** What is asked to be completed, where anything can be: a folder that is known is looked into, and needs no slash behind it. */
export function pathToComplete(typed: string, known: readonly string[], roots: readonly string[]): string | undefined {
  const path = known.includes(typed) && !typed.endsWith("/") ? `${typed}/` : typed;
  return path.startsWith("/") && isWithin(roots, path.slice(0, path.lastIndexOf("/"))) ? path : undefined;
}

function isWithin(roots: readonly string[], folder: string): boolean {
  const within = (root: string): boolean => folder === root || folder.startsWith(`${root.replace(/\/$/, "")}/`);
  return roots.length === 0 || roots.some(within);
}

/** The last part of a path, by which people know a folder. */
export function folderName(path: string): string {
  return (
    path
      .split(/[\\/]/)
      .filter((part) => part !== "")
      .at(-1) ?? path
  );
}
