import { expect, it } from "vitest";
import { fc } from "../../../test/support/fast-check.ts";
import { many, matches, matchesStars, tokenOf, type Token } from "./pattern.ts";
import { none, Trie } from "./trie.ts";

const word = fc.constantFrom("a", "b", "ab", "ba", "abc");
const token = fc.oneof(
  word,
  fc.constantFrom("*", "a*", "*b", "*b*").map(tokenOf),
  fc.constant(many),
) as fc.Arbitrary<Token>;
const pattern = fc.array(token, { minLength: 1, maxLength: 4 });
const words = fc.array(word, { maxLength: 5 });

/** Slow reference implementation. */
function naive(tokens: readonly Token[], asked: readonly string[]): boolean {
  const [first, ...rest] = tokens;
  if (first === undefined) return asked.length === 0;
  if (first === many) return naive(rest, asked) || (asked.length > 0 && naive(tokens, asked.slice(1)));
  const [head, ...tail] = asked;
  if (head === undefined) return false;
  const fits = typeof first === "string" ? first === head : new RegExp(`^${first.pieces.join(".*")}$`).test(head);
  return fits && naive(rest, tail);
}

it("matches like the slow reference implementation", () => {
  fc.assert(
    fc.property(pattern, words, (tokens, asked) => matches(tokens, asked) === naive(tokens, asked)),
    { numRuns: 3000 },
  );
});

it("finds the same first pattern as a linear search", () => {
  fc.assert(
    fc.property(fc.array(pattern, { maxLength: 12 }), words, (patterns, asked) => {
      const trie = new Trie();
      patterns.forEach((tokens, number) => trie.add(tokens, number));
      const first = patterns.findIndex((tokens) => naive(tokens, asked));
      expect(trie.first(asked)).toBe(first < 0 ? none : first);
      const beginning = patterns.findIndex((tokens) =>
        asked.some((_word, end) => naive(tokens, asked.slice(0, end + 1))),
      );
      expect(trie.firstBeginning(asked)).toBe(beginning < 0 ? none : beginning);
    }),
    { numRuns: 1000 },
  );
});

it("takes linear time for stars without a match", () => {
  const stars = tokenOf(`${"*a".repeat(200)}b`);
  expect(typeof stars === "object" && matchesStars(stars, "a".repeat(20_000))).toBe(false);
  expect(
    matches(
      [...Array.from({ length: 200 }, () => many), "b"] as Token[],
      Array.from({ length: 2000 }, () => "a"),
    ),
  ).toBe(false);
});
