import { columnsOf } from "../../events/columns.ts";
import { printable } from "../../events/printable.ts";

/** Makes text from agents safe for a stream: a terminal gets no control sequences, a pipe or file gets the text unchanged. */
export function safeFor(stream: NodeJS.WriteStream): (text: string) => string {
  return stream.isTTY ? printable : (text) => text;
}

/** Breaks long lines between words; a word longer than a line stays whole. */
export function wrap(text: string, columns: number): string {
  return text
    .split("\n")
    .map((line) => wrapLine(line, columns))
    .join("\n");
}

function wrapLine(line: string, columns: number): string {
  let used = 0;
  return line.split(" ").reduce((wrapped, word, index) => {
    const width = columnsOf(word);
    const fits = used + 1 + width <= columns;
    used = fits && index > 0 ? used + 1 + width : width;
    return index === 0 ? word : `${wrapped}${fits ? " " : "\n"}${word}`;
  }, "");
}

/** Quotes a word for a shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
