import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { highlight } from "./engine.ts";
import { languageOfFile, loadHighlighter } from "./index.ts";

/** Coloured tokens as `kind:text`. */
const coloured = (code: string, language: string) =>
  highlight(code, language)
    .filter(({ kind }) => kind !== undefined)
    .map(({ kind, text }) => `${kind}:${text}`);

describe("highlight", () => {
  it.each([
    ["ts", 'const a: Foo = f(1); // x "y"', 'keyword:const attribute:a type:Foo function:f number:1 comment:// x "y"'],
    ["js", "`a ${b}` + 'it\\'s' + true", "string:`a  string:` string:'it\\'s' constant:true"],
    ["json", '{"a": "b", "c": [1, null]}', 'attribute:"a" string:"b" attribute:"c" number:1 keyword:null'],
    [
      "py",
      "def f(x):  # y\n  return '''a\nb'''",
      "keyword:def function:f comment:# y keyword:return string:'''a\nb'''",
    ],
    [
      "sh",
      'for f in "$x"; do echo $y --all; done # z',
      'keyword:for keyword:in string:" property:$x string:" keyword:do keyword:echo property:$y keyword:done comment:# z',
    ],
    ["diff", "@@ -1 +1 @@\n-a\n+b\n c", "meta:@@ -1 +1 @@ removed:-a added:+b"],
    [
      "html",
      '<a href="x">b</a><!-- c -->',
      'tag:<a  attribute:href tag:= string:"x" tag:> tag:</a> comment:<!-- c -->',
    ],
    [
      "css",
      ".a { color: #fff; margin: 2px } @media x",
      "tag:.a property:color number:#fff property:margin number:2px keyword:@media",
    ],
    ["go", "func f() error { return nil }", "keyword:func function:f type:error keyword:return constant:nil"],
    [
      "rust",
      "fn f(a: &'a str) -> Vec<u8> { 'x' }",
      "keyword:fn function:f constant:'a type:str type:Vec type:u8 string:'x'",
    ],
    ["yaml", "a: 'b' # c\n- d: 1", "attribute:a: string:'b' comment:# c meta:- attribute:d: number:1"],
    ["sql", "SELECT a FROM b -- c", "keyword:SELECT keyword:FROM comment:-- c"],
    ["c", "/* a\n   b */ int x; // don't", "comment:/* a\n   b */ type:int comment:// don't"],
    ["cpp", '#include "a.h"\nint main() {}', 'meta:# keyword:include meta:  string:"a.h" type:int function:main'],
    ["toml", "[a]\nb = 'c' # d", "meta:[a] attribute:b string:'c' comment:# d"],
    ["ruby", "a = 1 # don't", "number:1 comment:# don't"],
    ["js,ignore", "let a", "keyword:let"],
  ])("%s", (language, code, expected) => expect(coloured(code, language).join(" ")).toBe(expected));

  it("leaves an unknown language plain", () => {
    expect(highlight("const a = 1", "brainfuck")).toEqual([{ kind: undefined, text: "const a = 1" }]);
    expect(highlight("", "ts")).toEqual([]);
  });

  const languages = [
    "ts",
    "json",
    "py",
    "sh",
    "diff",
    "html",
    "css",
    "go",
    "rust",
    "yaml",
    "sql",
    "cpp",
    "toml",
    "java",
    "php",
  ];

  it("keeps every character", () => {
    const piece = fc.constantFrom(..."\"'`#/*-<>=:{}()[]$@!\\ \n\tab1.".split(""), "/*", "-->", '"""', "${");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), fc.constantFrom(...languages), (pieces, language) => {
        const code = pieces.join("");
        expect(
          highlight(code, language)
            .map(({ text }) => text)
            .join(""),
        ).toBe(code);
      }),
      { numRuns: 500, seed: Number(process.env["REINS_TEST_SEED"] ?? 6) },
    );
  });

  it.each(languages)("highlights hostile text in linear time: %s", (language) => {
    for (const piece of [
      '"',
      "'",
      "`",
      "/*",
      "<!--",
      "a",
      " ",
      "-",
      "#",
      "$",
      "\\",
      "${",
      "1",
      "<a ",
      "a:",
      '"""',
      "@",
      "_",
    ]) {
      const code = piece.repeat(Math.floor(40_000 / piece.length));
      expect(highlight(code, language).length).toBeLessThanOrEqual(10_002);
    }
  });

  it.each(languages)("does not colour words or lines that are too long: %s", (language) => {
    const words = `${"a".repeat(990)}\n`.repeat(100);
    const line = "a ".repeat(20_000);
    for (const code of ["a".repeat(1_001), words, line])
      expect(highlight(code, language)).toEqual([{ kind: undefined, text: code }]);
  });

  it("colours long ordinary code", () => {
    const code = 'const someName = otherFunction("a string", 12); // and a comment\n'.repeat(1_500);
    expect(coloured(code, "ts").length).toBeGreaterThan(4_000);
  });

  it("loads the engine on first use", async () => {
    expect((await loadHighlighter())("let a", "js")).toEqual(highlight("let a", "js"));
  });

  it("finds the language by the file name", () => {
    expect(languageOfFile("/a/b.c/d.TS")).toBe("ts");
    expect(languageOfFile("C:\\a\\Dockerfile")).toBe("dockerfile");
    expect(languageOfFile("README")).toBe("");
  });
});
