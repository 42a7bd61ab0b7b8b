const usualPiece = 12;
const mostPieces = 50;

/** So much text that says nothing; no two pieces of it are the same, which some agents take for one that was sent twice. */
export function longText(length: number): string {
  let text = "";
  for (let word = 0; text.length < length; word++) text += `${word} `;
  return text.slice(0, length);
}

/** Cuts text for streaming, never inside a character. Joined, the pieces are the text. */
export function cutIntoPieces(text: string, wanted?: number): string[] {
  const count = wanted ?? Math.min(mostPieces, Math.ceil(text.length / usualPiece));
  const size = Math.max(1, Math.ceil(text.length / count));
  const pieces: string[] = [];
  for (let from = 0; from < text.length;) {
    let to = Math.min(text.length, from + size);
    if (to < text.length && isLowSurrogate(text.charCodeAt(to))) to++;
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}

const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
