/** The words of comments, documentation and visible strings, without code: identifiers, paths, flags and addresses are no words. */
import MarkdownIt from "markdown-it";
import { parse } from "./syntax.ts";
import { visibleStringsIn } from "./visible-strings.ts";

export interface Text {
  readonly line: number;
  readonly text: string;
}

const markdown = new MarkdownIt({ html: true });
type Token = ReturnType<typeof markdown.parse>[number];

/** The prose of a page: no code, no addresses. */
export function proseOfPage(text: string): Text[] {
  const found: Text[] = [];
  let line = 1;
  const visit = (tokens: readonly Token[]): void => {
    for (const token of tokens) {
      if (token.map !== null) line = token.map[0] + 1;
      if (token.type === "text") found.push({ line, text: token.content });
      if (token.children !== null) visit(token.children);
    }
  };
  visit(markdown.parse(text, {}));
  return found;
}

/** The comments of a source file, and the strings that users see. */
export function proseOfSource(file: string, code: string): Text[] {
  const source = parse(file, code);
  const strings = file.startsWith("src/") && !file.includes(".test.") ? visibleStringsIn(file, source) : [];
  return [...source.comments, ...strings];
}

/** Characters that only code has inside of a word. */
const code = /[\p{N}_/\\@#=<>$:{}()[\].*|~+&%^"]/u;

/** The words of a text that a dictionary can know. */
export function wordsOf(text: string): string[] {
  return text
    .replaceAll(/```[\s\S]*?```|`[^`]*`|\{[^}]*\}|https?:\S+/g, " ")
    .split(/[\s—–…·,;!?→]+/)
    .map((token) => token.replaceAll(/^[^\p{L}\p{N}@/\\$#<{&*~-]+|[^\p{L}\p{N}]+$/gu, "").replaceAll("’", "'"))
    .filter((token) => !token.startsWith("-") && !code.test(token))
    .flatMap((token) => token.split(/-+/))
    .map((word) => word.replace(/'s$|^'+|'+$/g, ""))
    .filter((word) => word.length > 2 && !/\p{Ll}\p{Lu}|^\p{Lu}{2}/u.test(word));
}
