/** The beginning of a text that is worth showing unasked: some lines, and no line without end. */
const usualLines = 24;
const mostChars = 6_000;

export function headOf(
  text: string,
  mostLines: number = usualLines,
): { readonly head: string; readonly hidden: number } {
  const trimmed = text.trimEnd();
  const lines = trimmed.split("\n");
  const shown: string[] = [];
  let chars = 0;
  for (const line of lines) {
    if (shown.length === mostLines || chars >= mostChars) break;
    const room = mostChars - chars;
    shown.push(line.length > room ? `${line.slice(0, room)} …` : line);
    chars += line.length;
  }
  const cutWithin = chars > mostChars ? 1 : 0;
  const hidden = lines.length - shown.length + cutWithin;
  // Nobody asks for two more lines.
  return hidden <= 3 && chars <= mostChars ? { head: trimmed, hidden: 0 } : { head: shown.join("\n"), hidden };
}
