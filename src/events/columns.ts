/** Width of text in a terminal: an emoji or a Chinese character takes two columns, an accent none. */
import stringWidth from "fast-string-width";

/**
 * Matches text of Latin, Greek and Cyrillic letters, punctuation, arrows, boxes and marks, where each character takes
 * one column and never combines with another. This text needs no Intl.Segmenter, which takes 12 ms to create: a tenth
 * of the time until the terminal interface shows its first frame.
 */
export const oneColumnEach =
  /^[ -~\u00a0-\u00ac\u00ae-\u02ff\u03a3-\u0482\u2010-\u2027\u2190-\u21ff\u2500-\u25fc\u2713\u2717\u276f\u2800-\u28ff]*$/;

export function columnsOf(text: string): number {
  return oneColumnEach.test(text) ? text.length : stringWidth(text);
}

export function padColumns(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - columnsOf(text)));
}

/** Created on first use, because that takes 12 ms. */
let segmenter: Intl.Segmenter | undefined;

/** Splits text into the characters that a person sees: an emoji of several code points, or a letter with its accents, is one. */
export function graphemes(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return segmenter.segment(text);
}

/** Cuts a line to a number of columns and appends an ellipsis. */
export function fitColumns(text: string, columns: number): string {
  if (text.length * 2 <= columns || columnsOf(text) <= columns) return text;
  if (oneColumnEach.test(text)) return `${text.slice(0, Math.max(0, columns - 1)).trimEnd()}…`;
  let used = 0;
  let fits = "";
  for (const { segment } of graphemes(text)) {
    used += columnsOf(segment);
    if (used >= columns) break;
    fits += segment;
  }
  return `${fits.trimEnd()}…`;
}
