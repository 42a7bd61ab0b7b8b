/** The content of a file before a call that may change it, and the diff after it. */
import { readFileSync, statSync } from "node:fs";
import { diffStats, unifiedDiff } from "../../events/diff.ts";
import { defaultLimits } from "../../events/limits.ts";
import type { AgentEventOf } from "../../events/types.ts";
import { displayPath } from "../../events/paths.ts";

const maxBytes = 1024 * 1024;

export interface FileBefore {
  readonly path: string;
  readonly existed: boolean;
  /** Undefined when the file did not exist, is too large, or cannot be read. */
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

/** Undefined when nothing changed or the old text is unknown. */
export function diffWith(before: FileBefore, after: string, cwd: string): string | undefined {
  if (after.length > maxBytes || (before.existed && before.text === undefined)) return undefined;
  return unifiedDiff(displayPath(before.path, cwd), before.text, after) || undefined;
}

/** Undefined when `from` does not occur in the text. */
export function replaced(text: string, from: unknown, to: unknown, all = false): string | undefined {
  if (typeof from !== "string" || typeof to !== "string" || !text.includes(from)) return undefined;
  // Replacement functions, because `$&` has a meaning in a replacement string.
  return all ? text.replaceAll(from, () => to) : text.replace(from, () => to);
}

/** Hunks of a diff with a relative path in the header; the agent's header may have an absolute path. */
export function hunksOf(diff: string | undefined, path: string): string | undefined {
  const start = diff?.search(/^@@ /m) ?? -1;
  return start < 0 ? undefined : `--- a/${path}\n+++ b/${path}\n${diff!.slice(start)}`;
}

/** Adds the line counts, and the diff itself unless it is too long. */
export function withDiff(event: AgentEventOf<"file.changed">, diff: string | undefined): AgentEventOf<"file.changed"> {
  if (diff === undefined) return event;
  const told = { ...event, ...diffStats(diff) };
  return diff.length <= defaultLimits.inlineBytes ? { ...told, diff } : told;
}
