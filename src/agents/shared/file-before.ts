/** A file before a call that may change it, and what the call makes of it. */
import { readFileSync, statSync } from "node:fs";
import { diffStats, unifiedDiff } from "../../events/diff.ts";
import { defaultLimits } from "../../events/limits.ts";
import type { AgentEventOf } from "../../events/types.ts";
import { displayPath } from "../../events/paths.ts";

const maxBytes = 1024 * 1024;

export interface FileBefore {
  readonly path: string;
  readonly existed: boolean;
  /** Undefined where the file did not exist, is too large, or cannot be read. */
  readonly text: string | undefined;
}

export function fileAt(path: string): FileBefore {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    const readable = found?.isFile() === true && found.size <= maxBytes;
    return { path, existed: found !== undefined, text: readable ? readFileSync(path, "utf8") : undefined };
  } catch {
    return { path, existed: true, text: undefined };
  }
}

/** Undefined where nothing changed, and where the old text is unknown. */
export function diffWith(before: FileBefore, after: string, cwd: string): string | undefined {
  if (after.length > maxBytes || (before.existed && before.text === undefined)) return undefined;
  return unifiedDiff(displayPath(before.path, cwd), before.text, after) || undefined;
}

/** Undefined where the old text is not there. */
export function replaced(text: string, from: unknown, to: unknown, all = false): string | undefined {
  if (typeof from !== "string" || typeof to !== "string" || !text.includes(from)) return undefined;
  // Functions, because `$&` has a meaning in a replacement text.
  return all ? text.replaceAll(from, () => to) : text.replace(from, () => to);
}

/** The hunks of a diff under a relative path; an agent's header may have an absolute one. */
export function hunksOf(diff: string | undefined, path: string): string | undefined {
  const start = diff?.search(/^@@ /m) ?? -1;
  return start < 0 ? undefined : `--- a/${path}\n+++ b/${path}\n${diff!.slice(start)}`;
}

/** Adds the line counts, and the diff itself where it is not too long. */
export function withDiff(event: AgentEventOf<"file.changed">, diff: string | undefined): AgentEventOf<"file.changed"> {
  if (diff === undefined) return event;
  const told = { ...event, ...diffStats(diff) };
  return diff.length <= defaultLimits.inlineBytes ? { ...told, diff } : told;
}
