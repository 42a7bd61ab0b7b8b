/** Cuts a styled row to the width of the screen. */
import { columnsOf, graphemes, oneColumnEach } from "../../events/columns.ts";

export interface ClampedRow {
  readonly text: string;
  /** Number of columns of the text; at most the width. */
  readonly columns: number;
}

/** SGR and OSC 8 (links): the only sequences a row may contain. */
const style = /\x1b\[[\d;:]*m|\x1b\]8;[^\x07\x1b]*(?:\x07|\x1b\\)/g;
/** Characters that could move the cursor, in case a component let one through. */
const control = /[\x00-\x1f\x7f-\x9f]/g;

/** The parts of a text that a terminal shows in one cell, or in two for a wide character. */
export function graphemesOf(text: string): readonly string[] {
  if (oneColumnEach.test(text)) return text.split("");
  return Array.from(graphemes(text), ({ segment }) => segment);
}

export function clampRow(row: string, width: number): ClampedRow {
  if (oneColumnEach.test(row)) {
    const text = row.length <= width ? row : row.slice(0, width);
    return { text, columns: text.length };
  }
  let text = "";
  let columns = 0;
  let full = false;
  let end = 0;
  const addPlain = (part: string): void => {
    if (full || part === "") return;
    const plain = part.replace(control, "");
    const wide = oneColumnEach.test(plain) ? plain.length : columnsOf(plain);
    if (columns + wide <= width) {
      text += plain;
      columns += wide;
      return;
    }
    full = true;
    for (const grapheme of graphemesOf(plain)) {
      const more = columnsOf(grapheme);
      if (columns + more > width) break;
      text += grapheme;
      columns += more;
    }
  };
  for (const match of row.matchAll(style)) {
    addPlain(row.slice(end, match.index));
    // Keep style sequences after the cut, so that every style the row opened is also closed.
    text += match[0];
    end = match.index + match[0].length;
  }
  addPlain(row.slice(end));
  return { text, columns };
}

/** A line of any length with its style, without any other sequence or control character. */
export function cleanLine(line: string): string {
  return oneColumnEach.test(line) ? line : clampRow(line, Infinity).text;
}

/** A row without its style. */
export function plainOf(row: string): string {
  return row.includes("\x1b") ? row.replace(style, "") : row;
}

/** How many rows a terminal needs for this text after re-wrapping it. */
export function wrappedRows(row: string, width: number): number {
  const plain = plainOf(row);
  if (oneColumnEach.test(plain)) return Math.max(1, Math.ceil(plain.length / width));
  let rows = 1;
  let used = 0;
  for (const grapheme of graphemesOf(plain)) {
    const columns = columnsOf(grapheme);
    if (used + columns > width && used > 0) {
      rows += 1;
      used = 0;
    }
    used += columns;
  }
  return rows;
}
