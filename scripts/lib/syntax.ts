/** Syntax trees of the repository's own sources, for checks that look at comments and strings. */
import { parseSync } from "rolldown/utils";

export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** A comment as a person reads it: `//` lines that follow each other are one comment. */
export interface Comment {
  readonly line: number;
  readonly text: string;
}

export interface Source {
  readonly text: string;
  readonly program: Node;
  readonly comments: readonly Comment[];
  lineOf(offset: number): number;
}

export function parse(file: string, text: string): Source {
  const lang = file.endsWith("x") ? "tsx" : /\.[cm]?ts$/.test(file) ? "ts" : "js";
  const { program, comments, errors } = parseSync(file, text, { lang });
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const lineOf = lineFinder(text);
  return { text, program: program as unknown as Node, comments: joined(comments, text, lineOf), lineOf };
}

/** Visits every node before its children. */
export function walk(node: Node, visit: (node: Node, parents: readonly Node[]) => void, parents: Node[] = []): void {
  visit(node, parents);
  parents.push(node);
  for (const child of childrenOf(node)) walk(child, visit, parents);
  parents.pop();
}

function childrenOf(node: Node): Node[] {
  return Object.values(node).flat().filter(isNode);
}

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}

function lineFinder(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}

interface RawComment {
  readonly type: string;
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

function joined(raw: readonly RawComment[], text: string, lineOf: (offset: number) => number): Comment[] {
  const comments: { line: number; text: string; end: number; isLine: boolean }[] = [];
  for (const { type, value, start, end } of raw) {
    const isLine = type === "Line";
    const before = comments.at(-1);
    const words = isLine ? value.trim() : value.replaceAll(/^[ \t]*\*+/gm, "").trim();
    if (isLine && before?.isLine === true && /^\n[ \t]*$/.test(text.slice(before.end, start))) {
      before.text += `\n${words}`;
      before.end = end;
    } else comments.push({ line: lineOf(start), text: words, end, isLine });
  }
  return comments.map(({ line, text: words }) => ({ line, text: words }));
}
