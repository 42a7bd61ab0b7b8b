/** Draws the prompt editor as screen rows. */
import { columnsOf, fitColumns } from "../../events/columns.ts";
import { oneLine } from "../../events/printable.ts";
import type { Theme } from "../theme.ts";
import { boundaryBefore } from "./graphemes.ts";
import { defaultPrefix } from "./keys.ts";
import { cells, columnOf, layout, offsetAt, rowOf, textWidth, type LayoutRow } from "./layout.ts";
import { isEmpty, moveTo, type EditorState } from "./state.ts";

export interface EditorLook {
  readonly theme: Theme;
  /** Shown while the editor is empty. */
  readonly placeholder?: string | undefined;
  readonly prefix?: string | undefined;
  /** Maximum number of rows; the cursor is always visible. */
  readonly maxRows: number;
  /** `top` of the last drawing: the text scrolls only as far as the cursor needs. */
  readonly top?: number | undefined;
}

export interface EditorRows {
  /** Styled, never wider than the width. */
  readonly lines: readonly string[];
  /** Zero-based cell of the cursor in `lines`. */
  readonly cursor: { readonly row: number; readonly column: number };
  /** Number of the first visible row, and how many rows are hidden above and below. */
  readonly top: number;
  readonly above: number;
  readonly below: number;
}

export function editorLines(state: EditorState, width: number, look: EditorLook): EditorRows {
  const { prefix, columns } = textWidth(width, look.prefix ?? defaultPrefix);
  const { rows, row, column } = placed(state, columns);
  const shown = Math.max(1, Math.min(Math.floor(look.maxRows), rows.length));
  const top = scrolled(look.top ?? row - shown + 1, row, shown, rows.length);
  const indent = " ".repeat(columnsOf(prefix));
  const lines = rows
    .slice(top, top + shown)
    .map((each, index) => (top + index === 0 ? look.theme.accent(prefix) : indent) + drawn(state, each, columns, look));
  const cursor = { row: row - top, column: columnsOf(prefix) + column };
  return { lines, cursor, top, above: top, below: rows.length - top - shown };
}

/** All rows and the cell of the cursor. After a full row the cursor has a row of its own. */
function placed(state: EditorState, columns: number) {
  const rows = layout(state, columns);
  const row = rowOf(rows, state.cursor);
  const column = columnOf(state, rows[row] as LayoutRow, state.cursor, columns);
  if (column < columns) return { rows, row, column };
  const own = { from: state.cursor, to: state.cursor };
  return { rows: [...rows.slice(0, row + 1), own, ...rows.slice(row + 1)], row: row + 1, column: 0 };
}

/** The first visible row: as close to the wanted one as the cursor allows, without empty rows at the end. */
function scrolled(wanted: number, row: number, shown: number, total: number): number {
  const visible = Math.min(Math.max(wanted, row - shown + 1), row);
  return Math.max(0, Math.min(visible, total - shown));
}

function drawn(state: EditorState, row: LayoutRow, columns: number, { theme, placeholder }: EditorLook): string {
  if (isEmpty(state)) return placeholder === undefined ? "" : theme.dim(fitted(oneLine(placeholder), columns));
  return cells(state, row.from, row.to, columns)
    .map(({ text, kind }) => (kind === "mark" ? theme.accent(text) : text))
    .join("");
}

function fitted(text: string, columns: number): string {
  return columns < 2 && columnsOf(text) > columns ? "" : fitColumns(text, columns);
}

/** Moves the cursor to a cell of `editorLines`, for a mouse click. */
export function clickEditor(
  state: EditorState,
  width: number,
  look: EditorLook,
  cell: { readonly row: number; readonly column: number },
): EditorState {
  const { prefix, columns } = textWidth(width, look.prefix ?? defaultPrefix);
  const { rows } = placed(state, columns);
  const { top } = editorLines(state, width, look);
  const row = rows[Math.min(top + Math.max(0, cell.row), rows.length - 1)] as LayoutRow;
  const at = offsetAt(state, row, Math.max(0, cell.column - columnsOf(prefix)), columns);
  return moveTo(state, boundaryBefore(state, at));
}
