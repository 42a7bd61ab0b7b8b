/** Handles text that is still streaming: hides half a mark and shows open marks as closed. */
import type { Token } from "markdown-it";
import { blockTokens, type MarkdownEnv } from "./parser.ts";

/** Matches a line that may still become something else. */
const half = /^[ >]*(?:#{1,6}|`{1,2}|~{1,2}|\*{1,2}|_{1,2}|-+|=+|\+|\d{1,9}[.)]?|\|)? *$/;
const halfTask = /^[ >]*(?:[-*+]|\d{1,9}[.)]) +\[(?:[ xX]\]?)? *$/;
/** A wider table is shown as text. */
export const mostColumns = 64;
/** Longer addresses are not followed. */
const longestAddress = 2100;

export function isHalfLine(line: string): boolean {
  return line.length < 40 && (half.test(line) || halfTask.test(line));
}

/** Index of the token in which the text breaks off, or -1 when the last block is complete. */
export function lastLeaf(tokens: readonly Token[], lines: number): number {
  const leaf = tokens.findLastIndex(({ nesting }) => nesting !== -1);
  const end = tokens.findLast(({ map, nesting }) => map !== null && nesting !== -1)?.map?.[1] ?? 0;
  return end >= lines - 1 ? leaf : -1;
}

/** Turns the paragraph at `leaf` into a table when its last line begins like one. */
export function withGuessedTable(tokens: readonly Token[], leaf: number, env: MarkdownEnv): readonly Token[] {
  const paragraph = tokens[leaf - 1];
  if (paragraph?.type !== "paragraph_open") return tokens;
  const lines = tokens[leaf]!.content.split("\n");
  const last = lines.at(-1)!;
  const head = lines.length - (last.length < 500 && /^[ |:-]*$/.test(last) ? 2 : 1);
  if (lines[head]?.trimStart().startsWith("|") !== true) return tokens;
  const columns = lines[head]
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/).length;
  if (columns > mostColumns) return tokens;
  const guessed = blockTokens([...lines.slice(0, head + 1), `|${"-|".repeat(columns)}`].join("\n"), env);
  for (const token of guessed) {
    token.level += paragraph.level;
    if (token.map !== null) token.map = [paragraph.map![0], paragraph.map![1]];
  }
  return tokens.toSpliced(leaf - 1, 3, ...guessed);
}

/** Closes code, shows the label of a link whose address is incomplete, and drops marks at the very end. */
export function finishedInline(text: string): string {
  const plain = text.replace(/[*_~`\\]+$/, "").replace(/!?\[$/, "");
  const dropped: [from: number, to: number][] = [];
  const labels: number[] = [];
  let end = "";
  for (let at = 0; at < plain.length; at++) {
    const letter = plain[at];
    if (letter === "\\") at++;
    else if (letter === "[") labels.push(at);
    else if (letter === "`") {
      const length = runLength(plain, at);
      const close = codeEnd(plain, at + length, length);
      if (close === undefined) end = "`".repeat(length);
      at = close ?? plain.length;
    } else if (letter === "]" && labels.length > 0) {
      const to = at + 1 === plain.length ? at + 1 : addressEnd(plain, at + 1);
      if (to === plain.length) {
        dropped.push([at, to]);
        break;
      }
      labels.pop();
    }
  }
  for (const at of labels) dropped.push([plain[at - 1] === "!" ? at - 1 : at, at + 1]);
  dropped.sort(([one], [other]) => other - one);
  return dropped.reduce((kept, [from, to]) => kept.slice(0, from) + kept.slice(to), plain) + end;
}

/** Index of the closing mark of code that began before `from`, or undefined when it is not closed. */
function codeEnd(text: string, from: number, length: number): number | undefined {
  for (let at = text.indexOf("`", from); at !== -1;) {
    const found = runLength(text, at);
    if (found === length) return at + length - 1;
    at = text.indexOf("`", at + found);
  }
  return undefined;
}

function runLength(text: string, from: number): number {
  let end = from;
  while (text[end] === text[from]) end++;
  return end - from;
}

/** Returns the end of the text when the address in parentheses at `from` is incomplete, otherwise undefined. */
function addressEnd(text: string, from: number): number | undefined {
  if (text[from] !== "(" || text.length - from > longestAddress) return undefined;
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\n") return undefined;
    if (text[at] === "(") depth++;
    if (text[at] === ")" && --depth === 0) return undefined;
  }
  return text.length;
}

/** Removes half a closing fence, or the start of an unfinished last line. */
export function finishedCode(text: string, marks: string): string {
  const at = text.lastIndexOf("\n");
  return marks.startsWith(text.slice(at + 1).trim()) ? text.slice(0, Math.max(0, at)) : text;
}
