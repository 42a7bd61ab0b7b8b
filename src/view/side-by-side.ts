/** Converts a unified diff into rows: the old line on the left, the new line on the right, each with its line number. */
import { printable } from "../events/printable.ts";

export interface DiffSide {
  readonly number: number;
  readonly text: string;
}

export type DiffRow =
  | { readonly kind: "same"; readonly left: DiffSide; readonly right: DiffSide }
  /** A side is undefined when a line was only removed or only added. */
  | { readonly kind: "changed"; readonly left: DiffSide | undefined; readonly right: DiffSide | undefined }
  /** Lines between this row and the previous one are not shown; `text` says where in the file the next hunk is. */
  | { readonly kind: "gap"; readonly text: string }
  /** A line about the files, such as a rename. */
  | { readonly kind: "note"; readonly text: string };

const hunkMark = /^@@ -(\d{1,15})(?:,(\d{1,15}))? \+(\d{1,15})(?:,(\d{1,15}))? @@ ?(.*)$/;

export function sideBySide(diff: string): DiffRow[] {
  const rows: DiffRow[] = [];
  const lines = printable(diff).split("\n");
  if (lines.at(-1) === "") lines.pop();
  let removed: DiffSide[] = [];
  let added: DiffSide[] = [];
  const [left, right] = [
    { next: 1, until: Infinity },
    { next: 1, until: Infinity },
  ];
  /** "No newline at end of file" marks. They come between removed and added lines, which belong together. */
  let unended: { left?: string; right?: string } = {};
  const settle = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at++)
      rows.push({ kind: "changed", left: removed[at], right: added[at] });
    const { left: before, right: text = before } = unended;
    const onlyBefore = unended.right === undefined && added.length > 0;
    if (text !== undefined) rows.push({ kind: "note", text: onlyBefore ? `${text} (before)` : text });
    [removed, added, unended] = [[], [], {}];
  };
  // Some agents leave out hunk headers: such a text is one hunk.
  let within = !lines.some((line) => hunkMark.test(line));
  for (const line of lines) {
    const hunk = hunkMark.exec(line);
    // A removed line may look like a hunk header. While the hunk has lines left, it is one of them.
    const more = within && (left.next < left.until || right.next < right.until);
    if (hunk !== null && !(more && left.until !== Infinity)) {
      settle();
      const [, leftAt, leftLines = "1", rightAt, rightLines = "1", where = ""] = hunk;
      Object.assign(left, { next: Number(leftAt), until: Number(leftAt) + Number(leftLines) });
      Object.assign(right, { next: Number(rightAt), until: Number(rightAt) + Number(rightLines) });
      within = true;
      if (rows.length > 0 || Number(leftAt) > 1) rows.push({ kind: "gap", text: where });
    } else if (line.startsWith("\\") && removed.length + added.length > 0) {
      unended[added.length > 0 ? "right" : "left"] = line;
    } else if (!more || isNote(line, left.until)) {
      settle();
      if (!/^(?:--- |\+\+\+ |index |diff )/.test(line) && line !== "") rows.push({ kind: "note", text: line });
    } else if (line.startsWith("-")) removed.push({ number: left.next++, text: line.slice(1) });
    else if (line.startsWith("+")) added.push({ number: right.next++, text: line.slice(1) });
    else {
      settle();
      const text = line.slice(1);
      rows.push({ kind: "same", left: { number: left.next++, text }, right: { number: right.next++, text } });
    }
  }
  settle();
  return rows;
}

function isNote(line: string, until: number): boolean {
  return line.startsWith("\\") || (until === Infinity && /^(?:--- |\+\+\+ |[^ +-])/.test(line));
}
