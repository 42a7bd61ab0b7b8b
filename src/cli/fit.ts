/** Cuts a line so that it never wraps: everything that may be two columns wide counts as two. */
export function fit(line: string, columns: number): string {
  let used = 0;
  let kept = "";
  for (const character of line) {
    used += (character.codePointAt(0) ?? 0) < 0x1100 || isNarrow(character) ? 1 : 2;
    if (used > columns - 1) return `${kept}…`;
    kept += character;
  }
  return kept;
}

/** Braille (the spinner), arrows, quotes and the ellipsis. */
function isNarrow(character: string): boolean {
  return /[\u2000-\u23ff\u2500-\u259f\u2800-\u28ff]/u.test(character);
}
