/** Code as pieces that may be coloured. Together they are the text, letter for letter. */
import type { Grammar } from "./grammars.ts";
import { grammarOf } from "./languages.ts";
import { constants } from "./words.ts";

export { languageOfFile } from "./languages.ts";

const kinds = [
  "comment",
  "string",
  "number",
  "keyword",
  "property",
  "attribute",
  "tag",
  "meta",
  "added",
  "removed",
] as const;
export type HighlightKind = (typeof kinds)[number] | "constant" | "type" | "function";

export interface HighlightToken {
  /** Undefined for what is only text. */
  readonly kind: HighlightKind | undefined;
  readonly text: string;
}

/** Longer code than this is shown plainly: nobody reads it by its colours, and each piece costs. */
const longest = 100_000;
const most = 10_000;

export function highlight(code: string, language: string): HighlightToken[] {
  const grammar = code.length > longest ? undefined : grammarOf(language);
  if (grammar === undefined) return code === "" ? [] : [{ kind: undefined, text: code }];
  const tokens: HighlightToken[] = [];
  let from = 0;
  const { pattern } = grammar;
  pattern.lastIndex = 0;
  for (let found = pattern.exec(code); found !== null && tokens.length < most; found = pattern.exec(code)) {
    if (found[0] === "") {
      pattern.lastIndex++;
      continue;
    }
    const kind = kindOf(found, grammar, code);
    if (kind === undefined) continue;
    if (found.index > from) tokens.push({ kind: undefined, text: code.slice(from, found.index) });
    tokens.push({ kind, text: found[0] });
    from = found.index + found[0].length;
  }
  if (from < code.length) tokens.push({ kind: undefined, text: code.slice(from) });
  return tokens;
}

function kindOf(found: RegExpExecArray, grammar: Grammar, code: string): HighlightKind | undefined {
  const word = found.groups?.["word"];
  if (word === undefined) return kinds.find((kind) => found.groups?.[kind] !== undefined);
  if (grammar.keywords?.has(grammar.anyCase === true ? word.toLowerCase() : word) === true) return "keyword";
  if (constants.has(word)) return "constant";
  if (grammar.keywords === undefined) return undefined;
  if (code[found.index + word.length] === "(") return "function";
  return /^[A-Z]\w*[a-z]/.test(word) ? "type" : undefined;
}
