/** Models how a terminal re-wraps rows when it becomes narrower, and where its cursor is afterwards. */
import { columnsOf } from "../../events/columns.ts";
import { graphemesOf, plainOf, wrappedRows } from "./clamp.ts";

/**
 * - `all`: wraps every row; the cursor stays with its character (tmux, kitty, VTE, Alacritty, WezTerm, iTerm2).
 * - `xterm.js`: wraps every row but the one with the cursor, and moves the cursor down by one for each row that is added anywhere,
 *   also below it. `xterm.js-cursor-row` is the same with its option `reflowCursorLine`.
 * - `none`: cuts the rows (xterm, the Linux console, screen).
 */
export type Reflow = "all" | "xterm.js" | "xterm.js-cursor-row" | "none";

const xtermJsPrograms: readonly string[] = ["vscode", "Hyper", "Tabby"];

export function reflowOf(env: Readonly<Record<string, string | undefined>>): Reflow {
  if (env["TMUX"]) return "all";
  const term = env["TERM"] ?? "";
  if (env["STY"] || env["XTERM_VERSION"] || term === "linux" || term.startsWith("screen")) return "none";
  return xtermJsPrograms.includes(env["TERM_PROGRAM"] ?? "") ? "xterm.js" : "all";
}

interface Narrowed {
  /** The live rows as they were drawn. */
  readonly rows: readonly string[];
  /** The cursor's cell among them. */
  readonly at: { readonly row: number; readonly column: number };
  /** Current columns of the terminal, fewer than when the rows were drawn. */
  readonly width: number;
}

/** How many rows the cursor is below the first live row, now that the terminal is narrower. */
export function rowsAboveCaret(reflow: Reflow, { rows, at, width }: Narrowed): number {
  switch (reflow) {
    case "none":
      return at.row;
    case "all": {
      let above = wrapsBeforeCaret(rows[at.row] ?? "", at.column, width);
      for (const row of rows.slice(0, at.row)) above += wrappedRows(row, width);
      return above;
    }
    default:
      return rowsInXtermJs(reflow, { rows, at, width });
  }
}

/**
 * xterm.js goes through the rows from the last to the first and moves its cursor meanwhile, so the row that it takes for the cursor's may
 * be one further down.
 */
function rowsInXtermJs(reflow: Reflow, { rows, at, width }: Narrowed): number {
  let cursor = at.row;
  for (let index = rows.length - 1; index >= 0; index--) {
    const more = wrappedRows(rows[index]!, width) - 1;
    if (more > 0 && (reflow === "xterm.js-cursor-row" || cursor !== index)) cursor += more;
  }
  return cursor;
}

/** How many rows of the cursor's own line are above the cursor. */
function wrapsBeforeCaret(row: string, column: number, width: number): number {
  let before = "";
  let used = 0;
  for (const grapheme of graphemesOf(plainOf(row))) {
    if (used >= column) break;
    used += columnsOf(grapheme);
    before += grapheme;
  }
  // The cell of the cursor itself belongs to the line, even if it has no character.
  return wrappedRows(`${before}${" ".repeat(Math.max(0, column - used))}x`, width) - 1;
}
