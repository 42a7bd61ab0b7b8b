/** A text as blocks, and the same text with more at its end without reading it all again. */
import { printable } from "../../events/printable.ts";
import { blocksOf, type Placed, placedBlocks } from "./blocks.ts";
import type { Block } from "./nodes.ts";

/** How many nodes one document may have; what comes after them is one plain paragraph. */
const most = 20_000;

export interface MarkdownDocument {
  /** Those that are settled are the same objects from one reading to the next. */
  readonly blocks: readonly Block[];
  /** The text, up to where no more text can change what it is. */
  readonly settledText: string;
  readonly settled: number;
  /** How many nodes there may still be after what is settled. */
  readonly left: number;
}

export interface MarkdownOptions {
  /** More may come: what is open is shown as if it were closed, and half a mark is not shown. */
  readonly streaming?: boolean | undefined;
  /** What was made of the beginning of this text. */
  readonly before?: MarkdownDocument | undefined;
}

export function markdownDocument(
  source: string,
  { streaming = false, before }: MarkdownOptions = {},
): MarkdownDocument {
  const text = printable(source);
  const goesOn = before !== undefined && before.settled > 0 && text.startsWith(before.settledText);
  const begin = goesOn ? before.settledText.length : 0;
  const kept = goesOn ? before.blocks.slice(0, before.settled) : [];
  const lines = text.slice(begin).split("\n").map(spaced);
  const left = { nodes: goesOn ? before.left : most };
  const placed = placedBlocks({ lines, depth: 0, tail: streaming, left, blocks: blocksOf });
  const blocks = [...kept, ...placed.map(({ block }) => block)];
  const settling = Math.max(0, placed.length - (isApart(placed, lines) ? 1 : 2));
  if (settling === 0)
    return { blocks, settledText: text.slice(0, begin), settled: kept.length, left: goesOn ? before.left : most };
  const end = placed[settling]!.from;
  let length = begin;
  for (let at = 0; at < end; at++) length = text.indexOf("\n", length) + 1;
  return { blocks, settledText: text.slice(0, length), settled: kept.length + settling, left: placed[settling]!.left };
}

/** Whether the last block, however it goes on, cannot turn out to belong to the one before it. */
function isApart(placed: readonly Placed[], lines: readonly string[]): boolean {
  const [previous, last] = placed.slice(-2);
  if (previous === undefined || last === undefined) return true;
  if (["code", "heading", "rule"].includes(previous.block.kind)) return true;
  const afterBlank = lines[last.from - 1]?.trim() === "";
  if (afterBlank && ["paragraph", "heading", "code"].includes(last.block.kind)) return true;
  // A table is guessed from its first line, anything else is known when that line is over.
  return last.from < lines.length - (last.block.kind === "table" ? 2 : 1);
}

/** Tabs a line begins with, as the spaces they mean. */
function spaced(line: string): string {
  if (line[0] !== "\t" && line[0] !== " ") return line;
  const [indent = ""] = /^[ \t]*/.exec(line) ?? [];
  return indent.includes("\t") ? indent.replaceAll("\t", "    ") + line.slice(indent.length) : line;
}
