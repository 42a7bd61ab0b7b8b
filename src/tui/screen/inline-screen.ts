import { clampRow, graphemesOf, wrappedRows, type ClampedRow } from "./clamp.ts";
import { frameEnd, frameStart, hideCursor, showCursor } from "./modes.ts";
import type { TerminalPort } from "./port.ts";
import { TerminalScreen, type Frame, type ScreenOptions } from "./screen.ts";
import { columnsOf } from "../../events/columns.ts";

/** Which rows a terminal wraps again when it gets narrower: all, all but the one with the cursor, or none (it cuts them). */
export type Reflow = "all" | "not-cursor" | "none";

export function reflowOf(env: Readonly<Record<string, string | undefined>>): Reflow {
  if (env["TMUX"]) return "all";
  const term = env["TERM"] ?? "";
  if (env["STY"] || env["XTERM_VERSION"] || term === "linux" || term.startsWith("screen")) return "none";
  // xterm.js leaves the row with the cursor to the shell.
  return env["TERM_PROGRAM"] === "vscode" ? "not-cursor" : "all";
}

export interface InlineOptions extends ScreenOptions {
  /** Default: `all`. See `reflowOf`. */
  readonly reflow?: Reflow | undefined;
}

/**
 * Erases from the start of the cursor's row to the end of the screen. Not simply CSI J: at the top left corner tmux would first
 * move the rows to its history, where they would stay.
 */
const eraseBelow = "\r\x1b[K\x1b[C\x1b[J\r";

/**
 * Draws in the main screen: finished lines are printed once and belong to the terminal from then on, the live rows below them
 * are redrawn. The terminal's own scrollback, search and copy work.
 */
export class InlineScreen extends TerminalScreen {
  readonly kind = "inline";
  readonly #reflow: Reflow;
  #queue: string[] = [];
  #live: readonly ClampedRow[] = [];
  #size = { columns: 0, rows: 0 };
  /** Where the cursor was left, counted from the first live row. */
  #at = { row: 0, column: 0 };
  #caretShown = true;

  constructor(port: TerminalPort, options: InlineOptions = {}) {
    super(port, options);
    this.#reflow = options.reflow ?? "all";
  }

  /** Prints finished lines above the live rows with the next `draw` or `stop`. The terminal wraps them. */
  commit(lines: readonly string[]): void {
    for (const line of lines) this.#queue.push(line);
  }

  protected enter(): string {
    this.#live = [];
    this.#at = { row: 0, column: 0 };
    this.#caretShown = true;
    this.#size = { columns: this.columns, rows: this.rows };
    return "";
  }

  /** Leaves the committed lines and the cursor below them. */
  protected leave(): string {
    return `${this.#toTop()}${eraseBelow}${this.#takeQueue()}`;
  }

  protected paint(frame: Frame): string {
    const { columns: width, rows: height } = this;
    const dropped = Math.max(0, frame.rows.length - height);
    const given = frame.rows.length === 0 ? [""] : frame.rows.slice(dropped);
    const live = given.map((row) => clampRow(row, width));

    let output = "";
    const resized = width !== this.#size.columns || height !== this.#size.rows;
    if (resized || this.#queue.length > 0) {
      output += `${this.#toTop()}${eraseBelow}${this.#takeQueue()}`;
      this.#size = { columns: width, rows: height };
      this.#live = [];
      this.#at = { row: 0, column: 0 };
    }
    const before = this.#live;
    if (live.length < before.length) output += `${this.#to(live.length)}${eraseBelow}`;
    for (const [index, row] of live.entries()) {
      if (row.text === before[index]?.text) continue;
      output += index < before.length || index === 0 ? this.#to(index) : this.#append(index);
      output += `\r${row.text}\x1b[0m`;
      // After a full row the cursor still stands on its last cell, which would be erased.
      if (row.columns < width) output += "\x1b[K";
      this.#at.column = row.columns;
    }
    this.#live = live;

    const cursor = frame.cursor && {
      row: Math.max(0, Math.min(frame.cursor.row - dropped, live.length - 1)),
      column: Math.max(0, Math.min(frame.cursor.column, width - 1)),
    };
    if (cursor && (output !== "" || cursor.row !== this.#at.row || cursor.column !== this.#at.column)) {
      output += `${this.#to(cursor.row)}\r${cursor.column > 0 ? `\x1b[${cursor.column}C` : ""}`;
      this.#at = cursor;
    }
    const wasShown = this.#caretShown;
    this.#caretShown = cursor !== undefined;
    if (output === "" && wasShown === this.#caretShown) return "";
    const hide = wasShown ? hideCursor : "";
    return `${frameStart}${hide}${output}${cursor ? showCursor : ""}${frameEnd}`;
  }

  #takeQueue(): string {
    const lines = this.#queue;
    this.#queue = [];
    return lines.map((line) => `${line}\x1b[0m\r\n`).join("");
  }

  /** Moves the cursor to an existing live row. */
  #to(row: number): string {
    const by = row - this.#at.row;
    this.#at = { row, column: this.#at.column };
    return by === 0 ? "" : by < 0 ? `\x1b[${-by}A` : `\x1b[${by}B`;
  }

  /** Moves the cursor to a new row below the last one; the terminal scrolls where it has to. */
  #append(row: number): string {
    return `${this.#to(row - 1)}${((this.#at = { row, column: 0 }), "\r\n")}`;
  }

  /** Moves the cursor to the first live row, which may be further up than it was drawn: a narrower terminal wraps the rows. */
  #toTop(): string {
    let up = this.#at.row;
    const width = this.columns;
    if (width < this.#size.columns && this.#reflow !== "none") {
      up = 0;
      for (const { text } of this.#live.slice(0, this.#at.row)) up += wrappedRows(text, width);
      if (this.#reflow === "all") up += this.#wrapsBeforeCaret(width);
    }
    this.#at = { row: 0, column: 0 };
    return up === 0 ? "" : `\x1b[${up}A`;
  }

  /** How many rows of the cursor's own line are now above the cursor. */
  #wrapsBeforeCaret(width: number): number {
    const { row, column } = this.#at;
    const plain = (this.#live[row]?.text ?? "").replace(/\x1b\[[\d;:]*m/g, "");
    let before = "";
    let used = 0;
    for (const grapheme of graphemesOf(plain)) {
      if (used >= column) break;
      used += columnsOf(grapheme);
      before += grapheme;
    }
    // The cell of the cursor itself belongs to the line, whether a character stands in it or not.
    return wrappedRows(`${before}${" ".repeat(Math.max(0, column - used))}x`, width) - 1;
  }
}
