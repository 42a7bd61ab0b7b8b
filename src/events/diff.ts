import { structuredPatch, type StructuredPatchHunk } from "diff";

/** The search is quadratic, so a change with more edits becomes one hunk. A time limit would give different diffs on a busy machine. */
const maxEditLength = 1_000;

/** `undefined` means that the file does not exist before or after. Returns "" when nothing changed. */
export function unifiedDiff(path: string, before: string | undefined, after: string | undefined): string {
  if (before === after) return "";
  const from = before === undefined ? "/dev/null" : `a/${path}`;
  const to = after === undefined ? "/dev/null" : `b/${path}`;
  const hunks =
    structuredPatch("", "", before ?? "", after ?? "", "", "", { context: 3, maxEditLength })?.hunks ??
    oneHunk(before ?? "", after ?? "");
  return `--- ${from}\n+++ ${to}\n${hunks.map(hunkText).join("")}`;
}

/** Fallback: one hunk that replaces everything between the common first and last lines. */
function oneHunk(before: string, after: string): StructuredPatchHunk[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start++;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const removed = old.slice(start, old.length - end);
  const added = now.slice(start, now.length - end);
  return [
    {
      oldStart: start + 1,
      oldLines: removed.length,
      newStart: start + 1,
      newLines: added.length,
      lines: [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)],
    },
  ];
}

/** Marks a missing last newline, which counts as a difference. */
function linesOf(text: string): string[] {
  const lines = text.split("\n");
  const last = lines.pop()!;
  return last === "" ? lines : [...lines, `${last}\n\\ No newline at end of file`];
}

function hunkText({ oldStart, oldLines, newStart, newLines, lines }: StructuredPatchHunk): string {
  const range = (start: number, count: number): string => `${count === 0 ? start - 1 : start},${count}`;
  return `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@\n${lines.map((line) => `${line}\n`).join("")}`;
}

export function diffStats(diff: string): { added: number; removed: number } {
  let added = 0;
  let removed = 0;
  // Count the lines of each hunk: a removed line may look like a file header.
  let old = 0;
  let now = 0;
  for (const line of diff.split("\n")) {
    const hunk = old > 0 || now > 0 ? undefined : /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
    if (hunk) {
      old = Number(hunk[1] ?? 1);
      now = Number(hunk[2] ?? 1);
      continue;
    }
    if ((old <= 0 && now <= 0) || line.startsWith("\\")) continue;
    if (line.startsWith("+")) added++;
    else old--;
    if (line.startsWith("-")) removed++;
    else now--;
  }
  return { added, removed };
}
