/** The colours of the terminal interface. */

/** Adds a style to text. */
export type Style = (text: string) => string;

/** Every use of colour has a name here; components never write an escape sequence themselves. */
export interface Theme {
  readonly name: "dark" | "light" | "contrast" | "terminal" | "none";
  readonly bold: Style;
  readonly italic: Style;
  readonly underline: Style;
  readonly strike: Style;
  /** Less important text. */
  readonly dim: Style;
  /** The agent's name, the prompt mark, selected items. */
  readonly accent: Style;
  readonly success: Style;
  readonly warning: Style;
  readonly error: Style;
  readonly link: Style;
  readonly code: Style;
  readonly heading: Style;
  readonly added: Style;
  readonly removed: Style;
  /** The changed words inside a changed line. */
  readonly addedWord: Style;
  readonly removedWord: Style;
  /** Selected text, or the chosen row of a list. */
  readonly selected: Style;
  /** A search match. */
  readonly found: Style;
  /** Frames and separators. */
  readonly border: Style;
  /** Any colour as #RRGGBB, or the nearest one that the terminal has. */
  readonly colour: (hex: string, text: string) => string;
  /** Code by highlight.js class, such as `keyword` or `string`. */
  readonly syntax: (kind: string, text: string) => string;
}
