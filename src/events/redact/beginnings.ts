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

/** A token stands at the start of a run of these. */
export const word = "[A-Za-z0-9_-]";

export interface Suspicion {
  /** False when the text contains no whole secret. */
  within(text: string): boolean;
  /**
   * False when the text does not end with the start of a secret. `before` is the preceding text, which decides
   * whether a secret may begin at the start of `text`.
   */
  atEnd(text: string, before: string): boolean;
}

/** Matches only the last three characters of each beginning. V8 finds these several times faster than whole beginnings, because the last character is rare. */
export function candidateSource(beginnings: readonly Beginning[]): string {
  return anyOf(beginnings.map(({ units }) => units.slice(-3).join("")));
}

export function suspicion(beginnings: readonly Beginning[]): Suspicion {
  const candidates = new RegExp(candidateSource(beginnings));
  const tokens = new TokenPrefixes(beginnings.filter(({ notAfter }) => notAfter === word));
  const others = beginnings.filter(({ notAfter }) => notAfter !== word);
  // The last two characters of a text rule out most of what the exact expression would look for.
  const pairs = new RegExp(`^(?:${anyOf(others.flatMap(pairsOf))})`);
  const parts = new RegExp(`(?:${anyOf(others.map(partOf))})$`);
  const longest = Math.max(...others.map(({ units }) => units.length)) + 2;
  return {
    within: (text) => candidates.test(text),
    atEnd: (text, before) =>
      tokens.atEnd(text, before) ||
      ((text.length < 2 || pairs.test(text.slice(-2))) &&
        // Also without `before`: it may have been a secret that was replaced.
        (parts.test(text.slice(-longest)) || (text.length < longest && parts.test(before + text)))),
  };
}

const anyOf = (sources: readonly string[]): string => [...new Set(sources)].join("|");

/** Proper prefixes of tokens. There are many tokens, so the last word of a text is looked up: an expression would try them all. */
class TokenPrefixes {
  readonly #prefixes = new Set<string>();
  readonly #longest: number;

  constructor(tokens: readonly Beginning[]) {
    this.#longest = Math.max(0, ...tokens.map(({ units }) => units.length - 1));
    for (const { units } of tokens) {
      let prefixes = [""];
      for (const unit of units.slice(0, -1)) {
        prefixes = prefixes.flatMap((prefix) => charactersOf(unit).map((character) => prefix + character));
        for (const prefix of prefixes) this.#prefixes.add(prefix);
      }
    }
  }

  atEnd(text: string, before: string): boolean {
    const start = wordStart(text, this.#longest);
    if (start === 0 && this.#isPart(text, before)) return true;
    return this.#isPart(text.slice(start), text.slice(Math.max(0, start - 1), start));
  }

  /** `last`: the last word, and what stands before it. */
  #isPart(last: string, before: string): boolean {
    if (last === "" || last.length > this.#longest + 1) return false;
    if (this.#prefixes.has(last)) return true;
    // The n of `\n` in JSON is no part of the word.
    return before.endsWith("\\") && /^[nrt]/.test(last) && this.#prefixes.has(last.slice(1));
  }
}

/** Where the run of word characters at the end of a text begins; no further back than `most` characters and two. */
function wordStart(text: string, most: number): number {
  const least = Math.max(0, text.length - most - 2);
  let at = text.length;
  while (at > least && isWordCode(text.charCodeAt(at - 1))) at--;
  return at;
}

function isWordCode(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x5f ||
    code === 0x2d
  );
}

/** `a`, `\\.` and `[abc]`; a beginning has no ranges. */
function charactersOf(unit: string): readonly string[] {
  if (unit.startsWith("[")) return unit.slice(1, -1).split("");
  return [unit.startsWith("\\") ? unit.slice(1) : unit];
}

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
