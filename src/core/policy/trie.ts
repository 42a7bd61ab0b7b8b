/** Finds the first matching pattern among very many: patterns with the same beginning share a node, so few are compared. */
import { matches, matchesStars, many, type Asked, type Stars, type Token } from "./pattern.ts";

/** Higher than every rule number: no match. */
export const none = Infinity;

interface Wild {
  readonly tokens: readonly Token[];
  readonly number: number;
}

interface Node {
  children: Map<string, Node> | undefined;
  end: number;
  /** Patterns that continue with a wildcard, by their last word when that is literal. */
  wild: Map<string, Wild[]> | undefined;
}

const node = (): Node => ({ children: undefined, end: none, wild: undefined });
const open = "\u0000";

export class Trie {
  readonly #root = node();
  size = 0;
  /** Largest number of patterns at one node that must be compared one by one. */
  widest = 0;

  /** Numbers must be added in ascending order: the first one of a pattern stays. */
  add(tokens: readonly Token[], number: number): void {
    this.size++;
    let at = this.#root;
    for (const [index, token] of tokens.entries()) {
      if (typeof token !== "string") {
        this.widest = Math.max(this.widest, addWild(at, { tokens: tokens.slice(index), number }));
        return;
      }
      at.children ??= new Map();
      let child = at.children.get(token);
      if (child === undefined) at.children.set(token, (child = node()));
      at = child;
    }
    at.end = Math.min(at.end, number);
  }

  first(asked: readonly Asked[], end = asked.length): number {
    return this.size === 0 ? none : firstIn(this.#root, asked, 0, end);
  }

  firstBeginning(asked: readonly Asked[]): number {
    if (this.size === 0) return none;
    let best = none;
    for (let end = asked.length; end > 0; end--) best = Math.min(best, this.first(asked, end));
    return best;
  }
}

function mayBeMore(word: Asked): word is Stars {
  return typeof word === "object" && "pieces" in word;
}

function addWild(at: Node, wild: Wild): number {
  at.wild ??= new Map();
  const last = wild.tokens.at(-1);
  const key = typeof last === "string" ? last : open;
  const list = at.wild.get(key);
  if (list === undefined) at.wild.set(key, [wild]);
  return list === undefined ? 1 : list.push(wild);
}

function firstIn(at: Node, asked: readonly Asked[], index: number, end: number): number {
  let best = firstWild(at.wild, asked, index, end);
  if (index === end) return Math.min(best, at.end);
  const word = asked[index]!;
  if (typeof word === "string") {
    const child = at.children?.get(word);
    if (child !== undefined) best = Math.min(best, firstIn(child, asked, index + 1, end));
  } else if (mayBeMore(word)) {
    for (const [key, child] of at.children ?? [])
      if (matchesStars(word, key)) best = Math.min(best, firstIn(child, asked, index + 1, end));
  }
  return best;
}

function firstWild(wild: Node["wild"], asked: readonly Asked[], index: number, end: number): number {
  if (wild === undefined) return none;
  const last = end > index ? asked[end - 1]! : many;
  const lists =
    typeof last === "string" ? [wild.get(last), wild.get(open)] : mayBeMore(last) ? wild.values() : [wild.get(open)];
  let best = none;
  for (const list of lists) {
    // The list is in ascending order, so its first match is the lowest.
    const found = list?.find(({ tokens, number }) => number >= best || matches(tokens, asked, index, end));
    if (found !== undefined) best = Math.min(best, found.number);
  }
  return best;
}
