/**
 * Patterns over words: the words of a command, the parts of a path, the labels of a host. `*` inside a word stands
 * for any characters, `many` for any number of words. Matching time is bounded by the lengths of both, whatever a
 * project's file contains.
 */

/** The literal pieces around the stars; at least two. */
export interface Stars {
  readonly pieces: readonly string[];
}

export const many = Symbol("many");
export type Token = string | Stars | typeof many;

/**
 * A word of a query. `Stars`: one of the matching words. `All`: every matching word. `unknown`: any single word.
 * `many`: any number of words.
 */
export const unknown = Symbol("unknown");
export interface All {
  readonly all: Stars;
}
export type Asked = string | Stars | All | typeof unknown | typeof many;

/** `\*` is a literal star. */
export function tokenOf(text: string): string | Stars {
  const pieces: string[] = [];
  let piece = "";
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (character === "\\" && (text[at + 1] === "*" || text[at + 1] === "\\")) piece += text[++at]!;
    else if (character === "*") {
      pieces.push(piece);
      piece = "";
    } else piece += character;
  }
  return pieces.length === 0 ? piece : { pieces: [...pieces, piece] };
}

/** Converts a word of a command line with unquoted `*`, `?` or `[…]` to the widest pattern it may match. */
export function starsOf(word: string): Stars {
  const pieces = word.split(/\*|\?|\[[^\]]*\]?/);
  return { pieces: pieces.length === 1 ? [...pieces, ""] : pieces };
}

export function matchesStars({ pieces }: Stars, text: string): boolean {
  const [first = "", ...rest] = pieces;
  const last = rest.pop() ?? "";
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return at <= text.length - last.length;
}

export function isAny({ pieces }: Stars): boolean {
  return pieces.every((piece) => piece === "");
}

function matchesOne(token: string | Stars, asked: Asked): boolean {
  if (asked === many) return false;
  if (typeof token !== "string" && isAny(token)) return true;
  if (asked === unknown) return false;
  if (typeof asked === "string") return typeof token === "string" ? token === asked : matchesStars(token, asked);
  if ("all" in asked) return typeof token !== "string" && token.pieces.join("*") === asked.all.pieces.join("*");
  // Two patterns with stars may overlap; assume that they do, so that a possible denial applies.
  return typeof token !== "string" || matchesStars(asked, token);
}

export function matches(tokens: readonly Token[], asked: readonly Asked[], at = 0, end = asked.length): boolean {
  let place = 0;
  /** Backtracking position: after the last `many`, and how far it has reached. */
  let [again, reached] = [-1, at];
  while (at < end) {
    const token = tokens[place];
    if (token === many) {
      again = ++place;
      reached = at;
    } else if (token !== undefined && matchesOne(token, asked[at]!)) {
      place++;
      at++;
    } else if (again >= 0) {
      place = again;
      at = ++reached;
    } else return false;
  }
  while (tokens[place] === many) place++;
  return place === tokens.length;
}
