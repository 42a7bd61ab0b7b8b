/** Patterns of file names: `*`, `?`, `[a-z]`, `**` and `{a,b}`. No regular expressions, because a slow one would block this process. */

const mostAlternatives = 64;

type Token = "star" | ((letter: string) => boolean);

interface Part {
  readonly text: string;
  readonly tokens: readonly Token[];
}

export function matcherOf(pattern: string): (path: string) => boolean {
  const patterns = alternatives(pattern.replace(/^\.\//, "")).map((one) =>
    one.split("/").map((text): Part => ({ text, tokens: tokensOf(text) })),
  );
  return (path) => patterns.some((parts) => matches(parts, path.split("/")));
}

function alternatives(pattern: string): string[] {
  const done: string[] = [];
  const open = [pattern];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const found = open.length + done.length > mostAlternatives ? undefined : bracesIn(next);
    if (found === undefined) done.push(next);
    else open.push(...found.words.map((word) => found.before + word + found.after));
  }
  return done;
}

/** The first braces that are closed and not empty, with their alternatives. */
function bracesIn(pattern: string): { before: string; words: readonly string[]; after: string } | undefined {
  for (let open = pattern.indexOf("{"); open !== -1; open = pattern.indexOf("{", open + 1)) {
    const words: string[] = [];
    let [depth, from] = [0, open + 1];
    for (let at = open; at < pattern.length; at++) {
      if (pattern[at] === "{") depth++;
      else if (pattern[at] === "}") depth--;
      if ((pattern[at] === "," && depth === 1) || depth === 0) {
        words.push(pattern.slice(from, at));
        from = at + 1;
      }
      if (depth > 0) continue;
      if (words.join("") === "") break;
      return { before: pattern.slice(0, open), words, after: pattern.slice(at + 1) };
    }
  }
  return undefined;
}

function tokensOf(pattern: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const sign = pattern[at]!;
    // A bracket at the beginning of a class is one of its letters.
    const end = sign === "[" ? pattern.indexOf("]", at + (/^\[[!^]/.test(pattern.slice(at, at + 2)) ? 3 : 2)) : -1;
    if (end !== -1) {
      tokens.push(classOf(pattern.slice(at + 1, end)));
      at = end;
    } else if (sign === "*") tokens.push("star");
    else tokens.push(sign === "?" ? () => true : (letter) => letter === sign);
  }
  return tokens;
}

/** The content of brackets: letters, ranges, or with `!` or `^` all others. */
function classOf(text: string): Token {
  const negated = /^[!^]/.test(text);
  const ranges = (negated ? text.slice(1) : text).match(/[^]-[^]|[^]/g) ?? [];
  return (letter) => ranges.some((range) => letter >= range[0]! && letter <= range.at(-1)!) !== negated;
}

/** Row by row, so that the cost is at most the number of stars times the length. */
function matches(pattern: readonly Part[], path: readonly string[]): boolean {
  let reachable = path.map(() => false);
  reachable.unshift(true);
  for (const part of pattern) {
    const next = reachable.map(() => false);
    for (let at = 0; at < reachable.length; at++) {
      if (part.text === "**") next[at] = reachable[at]! || (at > 0 && next[at - 1]!);
      else if (at > 0) next[at] = reachable[at - 1]! && matchesName(part, path[at - 1]!);
    }
    reachable = next;
  }
  return reachable.at(-1)!;
}

/** The classic backtracking: a star that took too little takes one character more. */
function matchesName({ text, tokens }: Part, name: string): boolean {
  // Files may be called `[id].tsx`: the exact name matches.
  if (text === name) return true;
  let [p, n, star, after] = [0, 0, -1, 0];
  while (n < name.length) {
    const token = tokens[p];
    if (token === "star") [star, after] = [p++, n];
    else if (token?.(name[n]!) === true) [p, n] = [p + 1, n + 1];
    else if (star >= 0) [p, n] = [star + 1, ++after];
    else return false;
  }
  while (tokens[p] === "star") p++;
  return p === tokens.length;
}
