/** How wide text is in a terminal. */

const wide =
  /[\u1100-\u115f\u231a\u231b\u23e9-\u23f3\u2614\u2615\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const none = /\p{Mn}|\p{Me}|\u200c|\u200d/u;

function widthOf(character: string): number {
  if (character < "\u0300") return 1;
  if (none.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

/** Cuts one line to so many columns, with an ellipsis where something was cut. */
export function fitColumns(text: string, columns: number): string {
  // No character is wider than two columns, and most texts are short.
  if (text.length * 2 <= columns) return text;
  let used = 0;
  let fits = "";
  for (const character of text) {
    used += widthOf(character);
    if (used > columns) return `${fits.trimEnd()}…`;
    if (used < columns) fits += character;
  }
  return text;
}
