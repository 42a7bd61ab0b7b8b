/** Styled lines of any length, made by components before a screen wraps them. */
import type { ImageSource } from "./images/image-loader.ts";

/**
 * A line of text. Components return lines; a screen wraps them. The full screen breaks a line into rows; the inline screen prints it whole
 * and lets the terminal wrap it, so that copied text has no added newlines.
 */
export interface Line {
  /** Styled text (SGR sequences only), without a newline or any other control character. */
  readonly text: string;
  /** Decoration before the text, such as a bullet or the bar of a quote. Never copied. */
  readonly prefix?: string | undefined;
  /** Decoration before every further row of the same line; as wide as `prefix`. */
  readonly indent?: string | undefined;
  /** The text that is copied. Default: `text` without style. */
  readonly source?: string | undefined;
  /**
   * `soft` breaks anywhere (code, commands), `word` between words (prose), `cut` ends at the edge (tables, status rows). Default: `word`.
   */
  readonly wrap?: "soft" | "word" | "cut" | undefined;
  /** Rows that are already styled and wrapped. Set for a line of columns (a table, a side-by-side diff) in which a cell has several rows. */
  readonly laid?: readonly string[] | undefined;
  /** Images that the inline screen prints below the line, if the terminal draws them; the text names them. */
  readonly images?: readonly ImageSource[] | undefined;
}

/** A row of the screen: one line, or the part of a line that fits the width. */
export interface Row {
  /** Styled, at most as wide as the screen. */
  readonly text: string;
  /** The line that this row is a part of. */
  readonly line: Line;
  /** Start and end of the row's text in the line's copyable text. */
  readonly from: number;
  readonly to: number;
}
