import { clampRow, type ClampedRow } from "./clamp.ts";
import { enterAlternate, frameEnd, frameStart, hideCursor, leaveAlternate, showCursor } from "./modes.ts";
import { TerminalScreen, type Frame } from "./screen.ts";

/** Draws frames in the alternate screen. Writes only the rows that changed. */
export class FullScreen extends TerminalScreen {
  readonly kind = "full";
  /** The rows as given, to find unchanged ones without measuring them. */
  #given: readonly string[] = [];
  #shown: readonly ClampedRow[] = [];
  /** The clamped rows by text: when text scrolls, most rows are in the last frame at another place. */
  #clamped: ReadonlyMap<string, ClampedRow> = new Map();
  #size = { columns: 0, rows: 0 };
  #resizes = 0;
  /** Undefined while it is hidden; `unknown` before the first frame. */
  #cursor: { readonly row: number; readonly column: number } | undefined | "unknown" = "unknown";

  protected enter(): string {
    this.#size = { columns: 0, rows: 0 };
    return enterAlternate;
  }

  protected leave(): string {
    return leaveAlternate;
  }

  protected paint({ rows, cursor: wanted }: Frame): string {
    const { columns: width, rows: height } = this;
    const { resizes } = this.port;
    const resized = resizes !== this.#resizes || width !== this.#size.columns || height !== this.#size.rows;
    if (resized) {
      this.#resizes = resizes;
      this.#size = { columns: width, rows: height };
      this.#given = [];
      this.#shown = [];
      this.#clamped = new Map();
      this.#cursor = "unknown";
    }
    const given: string[] = [];
    const shown: ClampedRow[] = [];
    const clamped = new Map<string, ClampedRow>();
    let output = resized ? "\x1b[0m\x1b[2J" : "";
    for (let index = 0; index < height; index++) {
      const row = rows[index] ?? "";
      const before = this.#shown[index];
      const now = before && row === this.#given[index] ? before : (this.#clamped.get(row) ?? clampRow(row, width));
      clamped.set(row, now);
      given.push(row);
      shown.push(now);
      if (now.text === (before?.text ?? "")) continue;
      output += `\x1b[${index + 1};1H${now.text}\x1b[0m`;
      // After a full row the cursor is still on its last cell, which would be erased.
      if (now.columns < width) output += "\x1b[K";
    }
    this.#given = given;
    this.#shown = shown;
    this.#clamped = clamped;

    const cursor = wanted && {
      row: Math.max(0, Math.min(wanted.row, height - 1)),
      column: Math.max(0, Math.min(wanted.column, width - 1)),
    };
    const old = this.#cursor;
    const sameCursor = old !== "unknown" && old?.row === cursor?.row && old?.column === cursor?.column;
    if (output === "" && sameCursor) return "";
    this.#cursor = cursor;
    const place = cursor ? `\x1b[${cursor.row + 1};${cursor.column + 1}H${showCursor}` : old ? hideCursor : "";
    const hide = output !== "" && old ? hideCursor : "";
    return `${frameStart}${hide}${output}${place}${frameEnd}`;
  }
}
