import { expect, test } from "vitest";
import { fc } from "../../../../test/support/fast-check.ts";
import { matcherOf } from "./wildcard.ts";

test.each([
  ["*.ts", "a.ts", true],
  ["*.ts", "src/a.ts", false],
  ["**/*.ts", "a.ts", true],
  ["**/*.ts", "src/deep/a.ts", true],
  ["src/**", "src/a/b", true],
  ["src/**/b", "src/b", true],
  ["src/**/b", "srcb", false],
  ["./a.ts", "a.ts", true],
  ["a?c", "abc", true],
  ["a?c", "ac", false],
  ["*.{ts,js}", "a.js", true],
  ["{src,test}/*.{ts,js}", "test/a.ts", true],
  ["*.{ts,js}", "a.css", false],
  ["a.b", "axb", false],
  ["[a]", "[a]", true],
  ["{", "{", true],
  ["{}", "{}", true],
  ["[ab].ts", "b.ts", true],
  ["[ab].ts", "c.ts", false],
  ["[a-c]x", "bx", true],
  ["[a-c]x", "dx", false],
  ["[a-]x", "-x", true],
  ["[!a-c]x", "dx", true],
  ["[!a-c]x", "bx", false],
  ["[^a]x", "bx", true],
  ["[]a]", "]", true],
  ["[!]a]", "]", false],
  ["[!]a]", "b", true],
  ["[a", "[a", true],
  ["[]", "[]", true],
  ["*[0-9].log", "a12.log", true],
  ["*[0-9].log", "a.log", false],
  ["[*]", "a", false],
  ["app/[id]/page.tsx", "app/[id]/page.tsx", true],
  ["**/[a-m]*/[!_]*.{ts,tsx}", "src/app/main.tsx", true],
  ["**/[a-m]*/[!_]*.{ts,tsx}", "src/app/_main.tsx", false],
  ["a{b,c{d,e}}f", "abf", true],
  ["a{b,c{d,e}}f", "acef", true],
  ["a{b,c{d,e}}f", "acf", false],
  ["{src,test/{unit,e2e}}/*.ts", "test/e2e/a.ts", true],
  ["{{a,b},c}", "b", true],
  ["{a,{b,{c,d}}}", "d", true],
  ["{a,}b", "b", true],
  ["{a{b,c}", "{ac", true],
  ["{}{a,b}", "{}b", true],
])("matches %s and %s: %s", (pattern, path, expected) => {
  expect(matcherOf(pattern)(path)).toBe(expected);
});

test("takes time proportional to a pattern of many stars", () => {
  expect(matcherOf("*a".repeat(40))("a".repeat(200) + "b")).toBe(false);
  expect(matcherOf("**/".repeat(40) + "x")(`${"a/".repeat(200)}b`)).toBe(false);
  expect(matcherOf("{a,b}".repeat(30))("a".repeat(30))).toBeTypeOf("boolean");
  expect(matcherOf("*[a-z]".repeat(40))("a".repeat(200) + "0")).toBe(false);
  expect(matcherOf("{".repeat(2_000))("a")).toBe(false);
  expect(matcherOf("{a,".repeat(500) + "}".repeat(500))("a")).toBe(true);
});

test("matches only the exact name without wildcards", () => {
  const plain = fc.stringMatching(/^[a-z.]{1,8}(\/[a-z.]{1,8}){0,3}$/).filter((path) => !path.startsWith("./"));
  fc.assert(fc.property(plain, plain, (a, b) => matcherOf(a)(b) === (a === b) && matcherOf(a)(a)));
});
