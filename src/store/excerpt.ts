/** The first place where one of the words stands, with some text around it. */
export function excerptOf(text: string, words: readonly string[], width = 120): string {
  const folded = fold(text);
  const places = words.map((word) => folded.indexOf(fold(word))).filter((place) => place >= 0);
  const place = places.length === 0 ? 0 : Math.min(...places);
  const from = Math.max(0, place - Math.floor(width / 3));
  const to = Math.min(text.length, from + width);
  // Never half of a character.
  const piece = text.slice(from, to).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
  return `${from > 0 ? "…" : ""}${piece}${to < text.length ? "…" : ""}`;
}

/** As the index has it, and of the same length, so that places mean the same. */
function fold(text: string): string {
  return Array.from(text, (character) => {
    const plain = character.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
    return plain.length === character.length ? plain : character;
  }).join("");
}
