/** highlight.js behind limits: its time grows with the square of the length of a word or a line. */
import { HighlightJS as hljs } from "highlight.js/lib/common";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import { languageOf } from "./index.ts";

hljs.registerLanguage("dockerfile", dockerfile);

export interface HighlightToken {
  readonly kind: HighlightKind | undefined;
  readonly text: string;
}

export type HighlightKind = keyof typeof scopes;

/** Longer code is shown plain: each coloured piece costs, and nobody reads that much code by its colours. */
const longestCode = 100_000;
const mostTokens = 10_000;
const longestWord = 1_000;
/** Limit for the sum of squared lengths: about half a second in the slowest grammar. Ordinary code has a tenth of it. */
const mostInWords = 5_000_000;
const mostInLines = 100_000_000;

/** Never throws. The tokens joined are exactly the code. */
export function highlight(code: string, name: string): HighlightToken[] {
  const language = code.length > longestCode || isTooCostly(code) ? undefined : languageOf(name);
  if (language === undefined) return code === "" ? [] : [{ kind: undefined, text: code }];
  const { value } = hljs.highlight(code, { language, ignoreIllegals: true });
  return tokensOf(value, code);
}

function isTooCostly(code: string): boolean {
  let inWords = 0;
  for (const [word] of code.matchAll(/[\p{L}\p{M}\p{N}_$]+/gu)) {
    inWords += word.length ** 2;
    if (word.length > longestWord || inWords > mostInWords) return true;
  }
  const inLines = code.split("\n").reduce((sum, line) => sum + line.length ** 2, 0);
  return inLines > mostInLines;
}

/** highlight.js returns HTML: nested spans, and text with five characters escaped. */
const htmlPart = /<span class="([^"]*)">|<\/span>|[^<]+/g;
const escaped: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
};

function tokensOf(html: string, code: string): HighlightToken[] {
  const tokens: HighlightToken[] = [];
  const kinds: (HighlightKind | undefined)[] = [];
  let length = 0;
  for (const [part, scope] of html.matchAll(htmlPart)) {
    if (scope !== undefined) kinds.push(kindOf(scope, kinds.at(-1)));
    else if (part === "</span>") kinds.pop();
    else {
      const text = part.replaceAll(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => escaped[entity]!);
      const kind = kinds.at(-1);
      const last = tokens.at(-1);
      if (last !== undefined && last.kind === kind) tokens[tokens.length - 1] = { kind, text: last.text + text };
      else if (tokens.length < mostTokens) tokens.push({ kind, text });
      else break;
      length += text.length;
    }
  }
  if (length < code.length) tokens.push({ kind: undefined, text: code.slice(length) });
  return tokens;
}

/** For each kind of token the highlight.js scopes, or their first words. `subst` is plain text within a string. */
const scopes = {
  added: ["addition"],
  attribute: ["attr"],
  comment: ["comment", "doctag", "quote"],
  constant: ["literal", "symbol"],
  function: ["title"],
  keyword: ["built_in", "keyword"],
  meta: ["bullet", "meta", "section"],
  number: ["number"],
  property: ["attribute", "property", "template-variable", "variable"],
  removed: ["deletion"],
  string: ["char", "code", "regexp", "string"],
  tag: ["name", "selector-attr", "selector-class", "selector-id", "selector-pseudo", "selector-tag", "tag"],
  type: ["title class_", "type"],
} as const;

const kindOfScope = new Map<string, HighlightKind | undefined>([
  ...Object.entries(scopes).flatMap(([kind, names]) => names.map((name) => [name, kind as HighlightKind] as const)),
  ["subst", undefined],
]);

function kindOf(scope: string, around: HighlightKind | undefined): HighlightKind | undefined {
  const name = scope.replace(/^hljs-/, "");
  const [first = ""] = name.split(" ", 1);
  for (const key of [name, first]) if (kindOfScope.has(key)) return kindOfScope.get(key);
  return around;
}
