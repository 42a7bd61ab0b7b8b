/** The screen of a terminal in memory: its visible text, and the escape sequences that redraw it elsewhere. */
import type * as Headless from "@xterm/headless";
import type { IBufferCell, IBufferLine, IMarker, Terminal } from "@xterm/headless";
import { TerminalModes } from "./terminal-modes.ts";

export interface ScreenOptions {
  readonly columns: number;
  readonly rows: number;
  /** Lines kept above the screen. */
  readonly scrollback?: number | undefined;
}

export interface Position {
  readonly column: number;
  readonly row: number;
}

const defaultScrollback = 1_000;

export class Screen {
  readonly #terminal: Terminal;
  readonly #modes = new TerminalModes();
  #pending = 0;
  /** The line at which the next `takeLines` begins. */
  #taken: IMarker | undefined;

  private constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Loads the emulator here, because it is needed nowhere else. */
  static async create({ columns, rows, scrollback = defaultScrollback }: ScreenOptions): Promise<Screen> {
    // The types describe an ES module, but Node loads CommonJS, whose exports are the default export.
    const { default: headless } = (await import("@xterm/headless")) as unknown as { default: typeof Headless };
    return new Screen(new headless.Terminal({ cols: columns, rows, scrollback, allowProposedApi: true }));
  }

  /** Resolves when the screen shows the bytes. */
  write(bytes: Buffer): Promise<void> {
    this.#modes.push(bytes.toString("latin1"));
    this.#pending += bytes.length;
    return new Promise((resolve) =>
      this.#terminal.write(bytes, () => {
        this.#pending -= bytes.length;
        resolve();
      }),
    );
  }

  /** Bytes written that are not on the screen yet. */
  get pending(): number {
    return this.#pending;
  }

  /** Calls the listener with replies that a terminal sends by itself, such as its kind or the position of the cursor. */
  onReply(listener: (reply: string) => void): void {
    this.#terminal.onData(listener);
    this.#terminal.onBinary(listener);
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
  }

  get size(): { readonly columns: number; readonly rows: number } {
    return { columns: this.#terminal.cols, rows: this.#terminal.rows };
  }

  /** The rows of the screen, without trailing blanks. */
  get rows(): readonly string[] {
    return this.#lines(this.#terminal.buffer.active.baseY).map((line) => line.translateToString(true));
  }

  get text(): string {
    return this.rows.join("\n").trimEnd();
  }

  /** The text of the screen and of the scrollback. */
  get fullText(): string {
    const lines = this.#lines(0).map((line) => line.translateToString(true));
    return lines.join("\n").trimEnd();
  }

  /** The text from the start of the cursor's line to the cursor. A wrapped line counts as one line. */
  get promptLine(): string {
    const { active } = this.#terminal.buffer;
    const last = active.baseY + active.cursorY;
    const before = this.#lines(this.#firstRow(last)).slice(0, last - this.#firstRow(last));
    const here = active.getLine(last)?.translateToString(false, 0, active.cursorX) ?? "";
    return before.map((line) => line.translateToString(false)).join("") + here;
  }

  /**
   * Returns the lines above the cursor's line that were not taken yet. A wrapped line counts as one; lines that have left the scrollback
   * meanwhile are missing.
   */
  takeLines(): readonly string[] {
    const { active } = this.#terminal.buffer;
    const cursor = active.baseY + active.cursorY;
    const end = this.#firstRow(cursor);
    const lines: string[] = [];
    const from = this.#taken?.line ?? 0;
    // A cleared screen removes the marker; then only lines drawn since are new.
    for (let row = from < 0 ? active.baseY : from; row < end; row++) {
      const line = active.getLine(row);
      const text = line?.translateToString(true) ?? "";
      if (line?.isWrapped === true && lines.length > 0) lines.push(lines.pop() + text);
      else lines.push(text);
    }
    this.#taken?.dispose();
    this.#taken = this.#terminal.registerMarker(end - cursor);
    return lines;
  }

  /** The first row of the line that this row is a part of. */
  #firstRow(row: number): number {
    let first = row;
    while (first > 0 && this.#terminal.buffer.active.getLine(first)?.isWrapped === true) first--;
    return first;
  }

  /** Counted from 0. */
  get cursor(): Position {
    const { cursorX, cursorY } = this.#terminal.buffer.active;
    // After a full row the cursor is beyond the last column.
    return { column: Math.min(cursorX, this.#terminal.cols - 1), row: cursorY };
  }

  /** Sequences that undo the program's changes to the modes of the terminal. */
  get restore(): string {
    return this.#modes.disable();
  }

  /** Sequences that draw this screen, with its scrollback and modes, in a terminal of the same size. */
  redraw(): string {
    const { baseY } = this.#terminal.buffer.active;
    const lines = this.#lines(this.#modes.alternateScreen ? baseY : 0);
    const { column, row } = this.cursor;
    const drawn = lines.map((line) => drawLine(line, this.#terminal.cols));
    return [
      this.#modes.enable(),
      // With wrapping off, a full last column does not move the cursor.
      "\x1b[?7l\x1b[0m\x1b[2J\x1b[H",
      drawn.join("\r\n"),
      `\x1b[0m\x1b[${row + 1};${column + 1}H`,
      this.#modes.isOn(7) ? "\x1b[?7h" : "",
    ].join("");
  }

  /** Sequences that draw the rows of this screen in a terminal of any size, without mode changes. */
  drawing(columns: number, rows: number): string {
    const lines = this.#lines(this.#terminal.buffer.active.baseY).slice(0, Math.max(1, rows));
    const drawn = lines.map((line, row) => `\x1b[${row + 1};1H\x1b[0m${drawLine(line, columns)}\x1b[K`);
    return `\x1b[?7l${drawn.join("")}\x1b[0m\x1b[J\x1b[?7h`;
  }

  dispose(): void {
    this.#terminal.dispose();
  }

  #lines(from: number): readonly IBufferLine[] {
    const { active } = this.#terminal.buffer;
    const end = active.baseY + this.#terminal.rows;
    return Array.from({ length: end - from }, (_, index) => active.getLine(from + index)).filter(
      (line) => line !== undefined,
    );
  }
}

/** Draws one line as text with colours. Cells hold printable characters only, so no sequence of the program gets through. */
function drawLine(line: IBufferLine, columns: number): string {
  let drawn = "";
  let blanks = "";
  let style = "";
  for (let column = 0; column < Math.min(columns, line.length); column++) {
    const cell = line.getCell(column);
    // The second half of a wide character.
    if (cell === undefined || cell.getWidth() === 0) continue;
    const wanted = styleOf(cell);
    const chars = cell.getChars();
    if (chars === "" && wanted === "") {
      // Nothing was written in this cell, so only end the style.
      if (style !== "") drawn += "\x1b[0m";
      style = "";
      blanks += " ";
      continue;
    }
    if (wanted !== style) drawn += `${blanks}\x1b[0${wanted}m`;
    else drawn += blanks;
    blanks = "";
    style = wanted;
    drawn += chars || " ";
  }
  return style === "" ? drawn : `${drawn}\x1b[0m`;
}

/** The parameters of SGR after a reset, each with a leading semicolon. */
function styleOf(cell: IBufferCell): string {
  if (cell.isAttributeDefault()) return "";
  const flags = [
    [cell.isBold(), 1],
    [cell.isDim(), 2],
    [cell.isItalic(), 3],
    [cell.isUnderline(), 4],
    [cell.isBlink(), 5],
    [cell.isInverse(), 7],
    [cell.isInvisible(), 8],
    [cell.isStrikethrough(), 9],
    [cell.isOverline(), 53],
  ] as const;
  const on = flags.filter(([set]) => set !== 0).map(([, code]) => `;${code}`);
  return [...on, foreground(cell), background(cell)].join("");
}

function foreground(cell: IBufferCell): string {
  if (cell.isFgDefault()) return "";
  return cell.isFgRGB() ? `;38;2;${rgb(cell.getFgColor())}` : `;38;5;${cell.getFgColor()}`;
}

function background(cell: IBufferCell): string {
  if (cell.isBgDefault()) return "";
  return cell.isBgRGB() ? `;48;2;${rgb(cell.getBgColor())}` : `;48;5;${cell.getBgColor()}`;
}

function rgb(color: number): string {
  return `${(color >> 16) & 255};${(color >> 8) & 255};${color & 255}`;
}
