/** The first characters of a secret: a cheap test that a text contains none. */
export interface Beginning {
  /** A regular expression per character; at least three, and the last one rare in ordinary text. */
  readonly units: readonly string[];
  /** Characters that must not precede the secret. */
  readonly notAfter?: string | undefined;
}

/** The second alternative is for JSON inside text: the n of `\n` is not part of a word. */
export function boundary(notAfter: string | undefined): string {
  return notAfter === undefined ? "" : `(?:(?<!${notAfter})|(?<=\\\\[nrt]))`;
}

export interface Suspicion {
  /** False when the text contains no whole secret. */
  within(text: string): boolean;
  /**
   * False when the text does not end with the start of a secret. `before` is the preceding text, which decides
   * whether a secret may begin at the start of `text`.
   */
  atEnd(text: string, before: string): boolean;
}

export function suspicion(beginnings: readonly Beginning[]): Suspicion {
  // Hot path: V8 finds three characters with a rare one at the end several times faster than whole beginnings, and the
  // last two characters of a text rule out most candidates of the exact expression.
  const triples = new RegExp(anyOf(beginnings.map(({ units }) => units.slice(-3).join(""))));
  const pairs = new RegExp(`^(?:${anyOf(beginnings.flatMap(pairsOf))})`);
  const parts = new RegExp(`(?:${anyOf(beginnings.map(partOf))})$`);
  const longest = Math.max(...beginnings.map(({ units }) => units.length)) + 2;
  return {
    within: (text) => triples.test(text),
    atEnd: (text, before) =>
      (text.length < 2 || pairs.test(text.slice(-2))) &&
      // Also test without `before`: it may have been a secret that was replaced.
      (parts.test(text.slice(-longest)) || (text.length < longest && parts.test(before + text))),
  };
}

const anyOf = (sources: readonly string[]): string => [...new Set(sources)].join("|");

/** The last two characters of every proper prefix. */
function pairsOf({ units, notAfter }: Beginning): string[] {
  const inside = units.slice(0, -2).map((unit, index) => unit + units[index + 1]);
  const start = notAfter === undefined ? ["[^]"] : [`(?!${notAfter})[^]`, "[nrt]"];
  return [...inside, ...start.map((previous) => previous + units[0])];
}

function partOf({ units, notAfter }: Beginning): string {
  const rest = units.slice(1, -1).reduceRight((inner, unit) => `(?:${unit}${inner})?`, "");
  return boundary(notAfter) + units[0] + rest;
}
