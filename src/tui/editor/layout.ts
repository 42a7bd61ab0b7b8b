/** Wraps the text of the editor into screen rows. */
import { columnsOf, fitColumns, graphemes } from "../../events/columns.ts";
import { printable } from "../../events/printable.ts";
import { graphemeColumns, markAt, type Fragment } from "./graphemes.ts";
import { isBreak, lineEnd } from "./move.ts";
import { markLabel } from "./state.ts";

/** A row has the text from `from` to `to`, without a line break. A continued row begins where the row above ends. */
export interface LayoutRow {
  readonly from: number;
  readonly to: number;
}

/** A character as it is drawn. */
export interface Cell {
  readonly from: number;
  readonly to: number;
  /** Safe to print in a terminal. */
  readonly text: string;
  readonly columns: number;
  readonly kind: "text" | "blank" | "mark";
}

const tabColumns = 4;
const ascii = /^[ -~]*$/;

/** The width for text beside the prefix. The prefix is dropped when too little would be left. */
export function textWidth(width: number, prefix: string): { readonly prefix: string; readonly columns: number } {
  const columns = width - columnsOf(prefix);
  return columns >= 4 ? { prefix, columns } : { prefix: "", columns: Math.max(1, width) };
}

let remembered: (Fragment & { readonly width: number; readonly rows: readonly LayoutRow[] }) | undefined;

/** All rows, at least one. The last result is cached: moving the cursor needs no new layout. */
export function layout({ text, marks }: Fragment, width: number): readonly LayoutRow[] {
  if (remembered?.width === width && remembered.marks === marks && remembered.text === text) return remembered.rows;
  const rows: LayoutRow[] = [];
  for (let from = 0; from <= text.length;) {
    const to = lineEnd({ text, marks }, from);
    wrapLine({ text, marks }, from, to, width, rows);
    from = text.startsWith("\r\n", to) ? to + 2 : to + 1;
  }
  remembered = { text, marks, width, rows };
  return rows;
}

/**
 * Words end one column before the edge, which leaves room for the blank after the word, or for the cursor. A very narrow screen has no
 * room for that.
 */
function wordRoom(width: number): number {
  return width >= 4 ? width - 1 : width;
}

function wrapLine(doc: Fragment, from: number, to: number, width: number, rows: LayoutRow[]): void {
  const room = wordRoom(width);
  if (to - from <= room && (from === to || ascii.test(doc.text.slice(from, to))) && !hasMark(doc, from, to)) {
    rows.push({ from, to });
    return;
  }
  let start = from;
  let column = 0;
  // The last place where the row may end, and the columns up to there.
  let place = from;
  let placeColumn = 0;
  for (const cell of cells(doc, from, to, width)) {
    const breaksBefore = cell.kind === "mark" || (cell.kind === "text" && cell.columns > 1);
    if (breaksBefore) [place, placeColumn] = [cell.from, column];
    while (column > 0 && column + cell.columns > (cell.kind === "blank" ? width : room)) {
      const end = place > start ? place : cell.from;
      rows.push({ from: start, to: end });
      column = end === place ? column - placeColumn : 0;
      start = end;
      [place, placeColumn] = [start, 0];
    }
    column += cell.columns;
    if (breaksBefore || cell.kind === "blank") [place, placeColumn] = [cell.to, column];
  }
  rows.push({ from: start, to });
}

function hasMark({ marks }: Fragment, from: number, to: number): boolean {
  return marks.some(({ at }) => at >= from && at < to);
}

/** The characters of a part without line breaks, at most `width` columns each. */
export function cells(doc: Fragment, from: number, to: number, width: number): Cell[] {
  const found: Cell[] = [];
  const inside = doc.marks.filter(({ at }) => at >= from && at < to);
  let start = from;
  for (const { at } of [...inside, { at: to }]) {
    textCells(doc.text.slice(start, at), start, width, found);
    const mark = markAt(doc.marks, at);
    if (at < to && mark) {
      const label = markLabel(mark.paste);
      const room = wordRoom(width);
      const text = columnsOf(label) <= room ? label : room < 2 ? "…" : fitColumns(label, room);
      found.push({ from: at, to: at + 1, text, columns: columnsOf(text), kind: "mark" });
    }
    start = at + 1;
  }
  return found;
}

function textCells(text: string, offset: number, width: number, found: Cell[]): void {
  if (ascii.test(text)) {
    for (let at = 0; at < text.length; at++) found.push(cell(text.charAt(at), offset + at, 1, width));
    return;
  }
  for (const { segment, index } of graphemes(text)) found.push(cell(segment, offset + index, undefined, width));
}

function cell(segment: string, from: number, known: number | undefined, width: number): Cell {
  const to = from + segment.length;
  if (segment === " ") return { from, to, text: " ", columns: 1, kind: "blank" };
  if (segment === "\t") {
    const columns = Math.min(tabColumns, width);
    return { from, to, text: " ".repeat(columns), columns, kind: "blank" };
  }
  if (known !== undefined) return { from, to, text: segment, columns: known, kind: "text" };
  const drawn = drawable(segment);
  const columns =
    drawn === "" ? 0 : drawn.split(/(?=[\u0e32\u0eb2])/).reduce((sum, part) => sum + graphemeColumns(part), 0);
  if (columns > width) return { from, to, text: "…", columns: 1, kind: "text" };
  return { from, to, text: drawn, columns, kind: "text" };
}

/**
 * Shows control characters as pictures and drops invisible ones. Splits the vowel AM of Thai and Lao: terminals disagree about its
 * columns, but not about those of its parts.
 */
function drawable(grapheme: string): string {
  const code = grapheme.charCodeAt(0);
  if (code < 32) return String.fromCharCode(0x2400 + code);
  if (code === 127) return "\u2421";
  const text = printable(grapheme).replace(/\s/g, "");
  return text.replaceAll("\u0e33", "\u0e4d\u0e32").replaceAll("\u0eb3", "\u0ecd\u0eb2");
}

/** The row of an offset: the last one that begins at or before it. */
export function rowOf(rows: readonly LayoutRow[], at: number): number {
  let low = 0;
  let high = rows.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((rows[middle] as LayoutRow).from <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

export function columnOf(doc: Fragment, row: LayoutRow, at: number, width: number): number {
  return cells(doc, row.from, Math.min(at, row.to), width).reduce((sum, { columns }) => sum + columns, 0);
}

/** The offset in a row nearest to a column. The end of a row that continues belongs to the row below. */
export function offsetAt(doc: Fragment, row: LayoutRow, column: number, width: number): number {
  const goesOn = row.to < doc.text.length && !isBreak(doc.text.charCodeAt(row.to));
  const inRow = cells(doc, row.from, row.to, width);
  let used = 0;
  for (const [index, { from, columns }] of inRow.entries()) {
    if (used + columns > column || (goesOn && index === inRow.length - 1)) return from;
    used += columns;
  }
  return row.to;
}
