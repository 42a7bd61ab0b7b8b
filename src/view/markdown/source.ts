/** Lines that are being read, and where in them the text breaks off. */
import { inline } from "./inline.ts";
import { fenceOf, headingOf, isDelimiter, isHalf, isRule, itemOf, quoteOf } from "./lines.ts";
import type { Block, Inline } from "./nodes.ts";

/** Lists and quotes within each other further than this are text. */
export const deepest = 8;

/** Some lines of a document, and what is known about them. */
export interface Lines {
  readonly lines: readonly string[];
  readonly depth: number;
  /** The last line is where the text breaks off for now. */
  readonly tail: boolean;
  /** How many more nodes there may be: a page is no place for a million. */
  readonly left: { nodes: number };
  /** What is within a list or a quote is blocks again. */
  readonly blocks: (source: Lines) => Block[];
}

/** A line of cells with a line of dashes below it. While it is written a line that begins like one is one already. */
export function isTable({ lines, tail }: Lines, at: number): boolean {
  const line = lines[at]!;
  if (!line.includes("|")) return false;
  const next = lines[at + 1];
  if (tail && at + 2 >= lines.length && line.trimStart().startsWith("|"))
    return next === undefined || (next.length < 500 && /^[ |:-]*$/.test(next));
  return next !== undefined && isDelimiter(next);
}

/** Whether a line goes on with the paragraph before it. */
export function goesOn(source: Lines, at: number): boolean {
  const line = source.lines[at]!;
  if (line.trim() === "" || isPending(source, at)) return false;
  if (fenceOf(line) !== undefined || headingOf(line) !== undefined || isRule(line) || isTable(source, at)) return false;
  if (source.depth >= deepest) return true;
  const item = itemOf(line);
  // A year at the beginning of a line is no list.
  return quoteOf(line) === 0 && (item === undefined || item.empty || (item.ordered && item.start !== 1));
}

/** Text within a block that ends at `end`. */
export function words(source: Lines, text: string, end: number): readonly Inline[] {
  const nodes = inline(text, isLast(source, end));
  source.left.nodes -= nodes.length;
  return nodes;
}

/** Whether this is the end of what has come, and it is not known yet what it will be. */
export function isPending({ lines, tail }: Lines, at: number): boolean {
  return tail && at === lines.length - 1 && isHalf(lines[at]!);
}

/** Whether what ends here is what the text breaks off in. */
export function isLast(source: Lines, end: number): boolean {
  const { lines, tail } = source;
  return tail && (end >= lines.length || (end === lines.length - 1 && isPending(source, end)));
}
