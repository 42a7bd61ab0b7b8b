import { TerminalImage } from "../images/terminal-image.ts";
import { clampRow, cleanLine, type ClampedRow } from "./clamp.ts";
import { FrameReplies } from "./frame-replies.ts";
import { autowrapOff, autowrapOn, frameEnd, frameStart, hideCursor, showCursor } from "./modes.ts";
import type { TerminalPort } from "./port.ts";
import { rowsAboveCaret, type Reflow } from "./reflow.ts";
import { TerminalScreen, type Frame, type ScreenOptions } from "./screen.ts";

export interface InlineOptions extends ScreenOptions {
  /** Default: `all`. See `reflowOf`. */
  readonly reflow?: Reflow | undefined;
}

/**
 * Erases from the start of the cursor's row to the end of the screen. Not just CSI J: at the top left corner tmux would first move the
 * rows to its history, where they would stay.
 */
const eraseBelow = "\r\x1b[K\x1b[C\x1b[J\r";

/**
 * Draws in the main screen: finished lines are printed once and then belong to the terminal; the live rows below them are redrawn. The
 * terminal's own scrollback, search and copy work.
 *
 * A resized terminal re-wraps and moves the rows before the program is told. The live rows are found again from the cursor and the rules
 * of the terminal (`reflow.ts`), unless the terminal has pushed some of them into its scrollback, which no program can reach. That happens
 * when the re-wrapped live rows exceed the screen; those rows stay as text.
 */
export class InlineScreen extends TerminalScreen {
  readonly kind = "inline";
  readonly #reflow: Reflow;
  readonly #replies: FrameReplies;
  #queue: string[] = [];
  #live: readonly ClampedRow[] = [];
  #size = { columns: 0, rows: 0 };
  #resizes = 0;
  /** The position of the cursor, counted from the first live row. */
  #at = { row: 0, column: 0 };
  #caretShown = true;

  constructor(port: TerminalPort, options: InlineOptions = {}) {
    super(port, options);
    this.#reflow = options.reflow ?? "all";
    this.#replies = new FrameReplies(port);
  }

  /** Prints finished lines and images above the live rows with the next `draw` or `stop`. The terminal wraps the lines. */
  commit(lines: readonly (string | TerminalImage)[]): void {
    for (const line of lines)
      this.#queue.push(line instanceof TerminalImage ? line.output : `${cleanLine(line)}\x1b[0m\r\n`);
  }

  protected enter(): string {
    this.#live = [];
    this.#at = { row: 0, column: 0 };
    this.#caretShown = true;
    this.#size = { columns: this.columns, rows: this.rows };
    this.#resizes = this.port.resizes;
    this.#replies.start();
    return "";
  }

  /** Keeps the committed lines and puts the cursor below them. */
  protected leave(): string {
    const output = `${this.#toTop()}${eraseBelow}${this.#takeQueue()}`;
    this.#replies.stop();
    return output;
  }

  override async settled(): Promise<void> {
    await this.#replies.settled;
  }

  /** After a resize, wait until it is known which frames the terminal processed before it. */
  protected override ready(): Promise<void> | undefined {
    return this.#isResized ? this.#replies.settled : undefined;
  }

  get #isResized(): boolean {
    const { columns, rows } = this.#size;
    return this.port.resizes !== this.#resizes || this.columns !== columns || this.rows !== rows;
  }

  protected paint(frame: Frame): string {
    const { columns: width, rows: height } = this;
    const dropped = Math.max(0, frame.rows.length - height);
    const given = frame.rows.length === 0 ? [""] : frame.rows.slice(dropped);
    const live = given.map((row) => clampRow(row, width));

    let output = "";
    const isWhole = this.#isResized || this.#queue.length > 0 || this.#live.length === 0;
    if (isWhole) {
      output += `${this.#toTop()}${eraseBelow}${this.#takeQueue()}`;
      this.#size = { columns: width, rows: height };
      this.#resizes = this.port.resizes;
      this.#live = [];
    }
    const before = this.#live;
    let drawn = "";
    if (live.length < before.length) drawn += `${this.#to(live.length)}${eraseBelow}`;
    for (const [index, row] of live.entries()) {
      if (row.text === before[index]?.text) continue;
      drawn += index < before.length || index === 0 ? this.#to(index) : this.#append(index);
      drawn += `\r${row.text}\x1b[0m`;
      // After a full row the cursor is still on its last cell, which would be erased.
      if (row.columns < width) drawn += "\x1b[K";
      this.#at.column = row.columns;
    }
    // A character that the terminal counts as wider must not push the row into the next one.
    if (drawn !== "") output += `${autowrapOff}${drawn}${autowrapOn}`;
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
    const rows = live.map(({ text }) => text);
    const asked = this.#replies.ask({ rows, at: this.#at, size: this.#size, isWhole });
    return `${frameStart}${hide}${output}${asked}${cursor ? showCursor : ""}${frameEnd}`;
  }

  #takeQueue(): string {
    return this.#queue.splice(0).join("");
  }

  /**
   * Moves the cursor to an existing live row. Uses newlines, because a terminal that just became lower would limit a longer cursor
   * movement.
   */
  #to(row: number): string {
    const by = row - this.#at.row;
    this.#at = { row, column: this.#at.column };
    return by === 0 ? "" : by < 0 ? `\x1b[${-by}A` : "\n".repeat(by);
  }

  /** Moves the cursor to a new row below the last one; the terminal scrolls if needed. */
  #append(row: number): string {
    return `${this.#to(row - 1)}${((this.#at = { row, column: 0 }), "\r\n")}`;
  }

  /** Moves the cursor to the first live row, which may be further up than it was drawn: a narrower terminal wraps the rows. */
  #toTop(): string {
    const up = this.columns < this.#size.columns ? this.#rowsAbove() : this.#at.row;
    this.#replies.reset();
    this.#at = { row: 0, column: 0 };
    return up === 0 ? "" : `\x1b[${up}A`;
  }

  #rowsAbove(): number {
    const { known, top, late } = this.#replies.state;
    // Rows that were drawn when the terminal was already narrow were cut, not wrapped.
    if (known === undefined || late === "whole") return this.#at.row;
    const { at, size } = known;
    // A lower terminal has dropped rows below the cursor, the free ones first.
    const free = Math.max(0, size.rows - top - known.rows.length);
    const dropped = Math.max(0, size.rows - this.rows - free);
    const rows = known.rows.slice(0, Math.max(at.row + 1, known.rows.length - dropped));
    return rowsAboveCaret(this.#reflow, { rows, at, width: this.columns }) + this.#at.row - at.row;
  }
}
