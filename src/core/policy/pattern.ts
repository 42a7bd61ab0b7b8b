/**
 * Patterns over words: of a command, of a path's parts, of a host's labels. `*` inside a word stands for any characters, `many` for any
 * number of words. Matching takes no longer than the two are long, whatever a project's file says.
 */

/** The literal pieces around the stars: at least two. */
export interface Stars {
  readonly pieces: readonly string[];
}

export const many = Symbol("many");
export type Token = string | Stars | typeof many;

/**
 * A word that is asked about. `Stars`: it may come to any of these; `All`: each of these; `unknown`: any one word; `many`: any number
 * of them.
 */
export const unknown = Symbol("unknown");
export interface All {
  readonly all: Stars;
}
export type Asked = string | Stars | All | typeof unknown | typeof many;

/** `\*` is a star that stands for itself. */
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

/** A word of a command line with unquoted `*`, `?` or `[…]`, as wide as it may be. */
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
  // Whether two that have stars have something in common is not looked at closely: what may be denied is.
  return typeof token !== "string" || matchesStars(asked, token);
}

/** From `at` of the words on to their end, or to `end`. */
export function matches(tokens: readonly Token[], asked: readonly Asked[], at = 0, end = asked.length): boolean {
  let place = 0;
  /** After the last `many`, and how far it has reached. */
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
