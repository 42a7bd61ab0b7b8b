/**
 * How each language is read: one pattern, tried from left to right. Every alternative takes what it begins with, closed or
 * not, so that no text is looked at twice.
 */
import * as words from "./words.ts";

export interface Grammar {
  /** Its groups are named for what they find; `word` is looked up. */
  readonly pattern: RegExp;
  readonly keywords?: ReadonlySet<string>;
  readonly anyCase?: boolean;
}

const double = String.raw`"(?:[^"\\\n]|\\.)*"?`;
const single = String.raw`'(?:[^'\\\n]|\\.)*'?`;
const number = String.raw`(?<number>\b(?:0[xXbBoO][\da-fA-F_]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)\w*)`;
const word = String.raw`(?<word>[A-Za-z_$][\w$]*)`;
const slashes = String.raw`(?<comment>\/\/.*|\/\*[^]*?(?:\*\/|$))`;
const hashes = String.raw`(?<comment>(?<![\w$])#.*)`;

function grammar(parts: readonly string[], keywords?: ReadonlySet<string>, flags = ""): Grammar {
  const pattern = new RegExp(parts.join("|"), `g${flags}`);
  return keywords === undefined ? { pattern } : { pattern, keywords };
}

const ticks = String.raw`\x60(?:[^\x60\\]|\\[^])*\x60?`;

const script = grammar([slashes, `(?<string>${double}|${single}|${ticks})`, number, word], words.script);
const c = grammar([slashes, `(?<string>${double}|${single})`, String.raw`(?<meta>^#\w+)`, number, word], words.c, "m");

export const grammars = {
  script,
  c,
  go: grammar([slashes, `(?<string>${double}|${single}|\x60[^\x60]*\x60?)`, number, word], words.go),
  rust: grammar(
    [slashes, String.raw`(?<string>${double}|'(?:[^'\\\n]|\\.)')`, String.raw`(?<meta>#!?\[[^\]\n]*\]?)`, number, word],
    words.rust,
  ),
  python: grammar(
    [
      hashes,
      String.raw`(?<string>[rbfuRBFU]{0,2}(?:"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|${double}|${single}))`,
      String.raw`(?<meta>@[\w.]+)`,
      number,
      word,
    ],
    words.python,
  ),
  shell: grammar(
    [
      hashes,
      String.raw`(?<string>"(?:[^"\\]|\\[^])*"?|'[^']*'?)`,
      String.raw`(?<property>\$\{[^}\n]*\}?|\$[\w@#?*!$-])\w*`,
      String.raw`(?<attribute>(?<=\s)--?[A-Za-z][\w-]*)`,
      word,
    ],
    words.shell,
  ),
  json: grammar([
    slashes,
    String.raw`(?<property>"(?:[^"\\\n]|\\.)*"(?=[ \t]{0,8}:))`,
    `(?<string>${double})`,
    number,
    word,
  ]),
  yaml: grammar(
    [
      hashes,
      String.raw`(?<property>^[ \t-]{0,60}[\w./"'-]+(?=:(?:\s|$)))`,
      `(?<string>${double}|${single})`,
      String.raw`(?<meta>[&*!][\w-]+|^---$|^\[[^\]\n]*\]$)`,
      String.raw`(?<attribute>^[\w.-]+(?=[ \t]{0,8}=))`,
      number,
      word,
    ],
    undefined,
    "m",
  ),
  sql: {
    ...grammar(
      [String.raw`(?<comment>--.*|\/\*[^]*?(?:\*\/|$))`, `(?<string>${single}|${double})`, number, word],
      words.sql,
    ),
    anyCase: true,
  },
  html: grammar([
    String.raw`(?<comment><!--[^]*?(?:-->|$))`,
    String.raw`(?<tag><\/?[A-Za-z!][\w:-]*|\/?>)`,
    String.raw`(?<attribute>(?<![\w:@-])[\w:@-]+(?==["'{]))`,
    String.raw`(?<string>(?<==)(?:"[^"]*"?|'[^']*'?))`,
    String.raw`(?<meta>&#?\w+;)`,
  ]),
  css: grammar([
    String.raw`(?<comment>\/\*[^]*?(?:\*\/|$))`,
    `(?<string>${double}|${single})`,
    String.raw`(?<keyword>@[\w-]+|!important)`,
    String.raw`(?<property>(?<![\w-])[\w-]+(?=[ \t]{0,8}:[^:{]))`,
    String.raw`(?<number>#[\da-fA-F]{3,8}\b|(?<![\w-])-?\d*\.?\d+(?:%|[a-z]+)?)`,
    String.raw`(?<tag>[.#&][\w-]+)`,
    String.raw`(?<plain>[\w-]+)`,
  ]),
  diff: grammar(
    [
      String.raw`(?<meta>^(?:diff |index |--- |\+\+\+ |@@|[a-z]+ (?:file )?mode ).*)`,
      String.raw`(?<added>^\+.*)`,
      String.raw`(?<removed>^-.*)`,
    ],
    undefined,
    "m",
  ),
} satisfies Record<string, Grammar>;
