/** Patterns of file names: `*`, `?`, `**` and `{a,b}`. No regular expressions, because one that goes wrong would stop this process. */

const mostAlternatives = 64;

/** Whether a path, with slashes, matches. */
export function matcherOf(pattern: string): (path: string) => boolean {
  const patterns = alternatives(pattern.replace(/^\.\//, "")).map((one) => one.split("/"));
  return (path) => patterns.some((parts) => matches(parts, path.split("/")));
}

function alternatives(pattern: string): string[] {
  const done: string[] = [];
  const open = [pattern];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [, before = "", inside = "", after = ""] = /^([^{]*)\{([^{}]*)\}(.*)$/s.exec(next) ?? [];
    if (inside === "" || open.length + done.length > mostAlternatives) done.push(next);
    else open.push(...inside.split(",").map((word) => before + word + after));
  }
  return done;
}

/** Row by row, so that many stars cost no more than their number times the length. */
function matches(pattern: readonly string[], path: readonly string[]): boolean {
  let reachable = path.map(() => false);
  reachable.unshift(true);
  for (const part of pattern) {
    const next = reachable.map(() => false);
    for (let at = 0; at < reachable.length; at++) {
      if (part === "**") next[at] = reachable[at]! || (at > 0 && next[at - 1]!);
      else if (at > 0) next[at] = reachable[at - 1]! && matchesName(part, path[at - 1]!);
    }
    reachable = next;
  }
  return reachable.at(-1)!;
}

/** The classic walk: a star that took too little takes one character more. */
function matchesName(pattern: string, name: string): boolean {
  let [p, n, star, after] = [0, 0, -1, 0];
  while (n < name.length) {
    if (p < pattern.length && pattern[p] === "*") [star, after] = [p++, n];
    else if (p < pattern.length && (pattern[p] === "?" || pattern[p] === name[n])) [p, n] = [p + 1, n + 1];
    else if (star >= 0) [p, n] = [star + 1, ++after];
    else return false;
  }
  while (pattern[p] === "*") p++;
  return p === pattern.length;
}
