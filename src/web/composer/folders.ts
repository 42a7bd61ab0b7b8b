/** The folders that a session may be about, those that were used last first. Pure. */
import type { MeAnswer } from "../../server/schemas/access.ts";
import type { SessionSummary } from "../../server/schemas/sessions.ts";

const most = 30;

export function knownFolders(
  me: Pick<MeAnswer, "cwd" | "roots"> | undefined,
  sessions: readonly Pick<SessionSummary, "cwd">[],
): readonly string[] {
  if (me === undefined) return [];
  const inside = (folder: string): boolean =>
    me.roots.length === 0 ||
    me.roots.some((root) => folder === root || folder.startsWith(`${root.replace(/\/$/, "")}/`));
  const all = [me.cwd, ...me.roots, ...sessions.map(({ cwd }) => cwd)].filter(inside);
  return [...new Set(all)].slice(0, most);
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
