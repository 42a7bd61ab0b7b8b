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
    const fits = used + 1 + word.length <= columns;
    used = fits && index > 0 ? used + 1 + word.length : word.length;
    return index === 0 ? word : `${wrapped}${fits ? " " : "\n"}${word}`;
  }, "");
}
