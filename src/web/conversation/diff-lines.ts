/** The rows of a diff in one column: what was removed, then what came in its place. Pure. */
import type { DiffRow, DiffSide } from "../../view/side-by-side.ts";

export interface DiffLine {
  readonly kind: "added" | "removed" | "same" | "gap" | "note";
  readonly text: string;
  readonly before?: number;
  readonly after?: number;
}

export function diffLines(rows: readonly DiffRow[]): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let added: DiffSide[] = [];
  const settle = (): void => {
    for (const { text, number } of added) lines.push({ kind: "added", text, after: number });
    added = [];
  };
  for (const row of rows) {
    if (row.kind === "changed") {
      if (row.left !== undefined) lines.push({ kind: "removed", text: row.left.text, before: row.left.number });
      if (row.right !== undefined) added.push(row.right);
      continue;
    }
    settle();
    if (row.kind === "same")
      lines.push({ kind: "same", text: row.left.text, before: row.left.number, after: row.right.number });
    else lines.push({ kind: row.kind, text: row.text });
  }
  settle();
  return lines;
}
