/** Width of text in a terminal: an emoji or a Chinese character takes two columns, an accent none. */
import stringWidth from "fast-string-width";

export function columnsOf(text: string): number {
  return stringWidth(text);
}

/** `padEnd` by columns. */
export function padColumns(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - columnsOf(text)));
}

/** Made when the first text needs it: it takes a quarter of the time in which the command starts. */
let characters: Intl.Segmenter | undefined;

/** Cuts a line to a number of columns, with an ellipsis. */
export function fitColumns(text: string, columns: number): string {
  if (text.length * 2 <= columns || columnsOf(text) <= columns) return text;
  if (/^[ -~]*$/.test(text)) return `${text.slice(0, Math.max(0, columns - 1)).trimEnd()}…`;
  characters ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  let used = 0;
  let fits = "";
  for (const { segment } of characters.segment(text)) {
    used += columnsOf(segment);
    if (used >= columns) break;
    fits += segment;
  }
  return `${fits.trimEnd()}…`;
}
