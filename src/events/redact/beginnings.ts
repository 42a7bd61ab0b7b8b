/** What a secret begins with: enough to tell cheaply that a text has none. */
export interface Beginning {
  /** One regular expression of one character an entry; three at least, the last of them rare in text. */
  readonly units: readonly string[];
  /** The characters it may not follow. */
  readonly notAfter?: string | undefined;
}

/** The second way in is for JSON within text: the n of `\n` is no part of a word. */
export function boundary(notAfter: string | undefined): string {
  return notAfter === undefined ? "" : `(?:(?<!${notAfter})|(?<=\\\\[nrt]))`;
}

export interface Suspicion {
  /** False: there is no whole secret in it. */
  within(text: string): boolean;
  /** False: it does not end with a part of a beginning. What stood before it decides whether one may begin at its start. */
  atEnd(text: string, before: string): boolean;
}

export function suspicion(beginnings: readonly Beginning[]): Suspicion {
  // This is the hot path: V8 finds three characters with a rare one at the end several times faster than whole beginnings,
  // and two characters at the end of a text rule out most of what the exact expression would have to look at.
  const triples = new RegExp(anyOf(beginnings.map(({ units }) => units.slice(-3).join(""))));
  const pairs = new RegExp(`^(?:${anyOf(beginnings.flatMap(pairsOf))})`);
  const parts = new RegExp(`(?:${anyOf(beginnings.map(partOf))})$`);
  const longest = Math.max(...beginnings.map(({ units }) => units.length)) + 2;
  return {
    within: (text) => triples.test(text),
    atEnd: (text, before) =>
      (text.length < 2 || pairs.test(text.slice(-2))) &&
      // Also without what stood before it: that may have been a secret, and something else stands there now.
      (parts.test(text.slice(-longest)) || (text.length < longest && parts.test(before + text))),
  };
}

const anyOf = (sources: readonly string[]): string => [...new Set(sources)].join("|");

/** The last two characters of every proper part of it. */
function pairsOf({ units, notAfter }: Beginning): string[] {
  const inside = units.slice(0, -2).map((unit, index) => unit + units[index + 1]);
  const start = notAfter === undefined ? ["[^]"] : [`(?!${notAfter})[^]`, "[nrt]"];
  return [...inside, ...start.map((previous) => previous + units[0])];
}

function partOf({ units, notAfter }: Beginning): string {
  const rest = units.slice(1, -1).reduceRight((inner, unit) => `(?:${unit}${inner})?`, "");
  return boundary(notAfter) + units[0] + rest;
}
