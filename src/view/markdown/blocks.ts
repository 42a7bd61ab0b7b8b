/** Lines as blocks. Every line is looked at once for each level it is nested in, and levels are few. */
import { closes, fenceOf, headingOf, isRule, itemOf, outdent, quoteOf } from "./lines.ts";
import { list } from "./lists.ts";
import type { Block } from "./nodes.ts";
import { deepest, goesOn, isLast, isPending, isTable, type Lines, words } from "./source.ts";
import { table } from "./tables.ts";

export interface Placed {
  readonly block: Block;
  /** The lines it is made of: from, and up to. */
  readonly from: number;
  readonly to: number;
  /** How many nodes there might have been when it began. */
  readonly left: number;
}

export function placedBlocks(source: Lines): Placed[] {
  const { lines, left } = source;
  const placed: Placed[] = [];
  for (let at = 0; at < lines.length;) {
    if (lines[at]!.trim() === "" || isPending(source, at)) {
      at++;
      continue;
    }
    const before = left.nodes;
    const block = left.nodes-- > 0 ? blockAt(source, at) : rest(lines, at);
    placed.push({ ...block, from: at, left: before });
    at = block.to;
  }
  return placed;
}

export function blocksOf(source: Lines): Block[] {
  return placedBlocks(source).map(({ block }) => block);
}

type Taken = Pick<Placed, "block" | "to">;

function blockAt(source: Lines, at: number): Taken {
  const { lines, depth } = source;
  const line = lines[at]!;
  if (fenceOf(line) !== undefined) return fenced(source, at);
  const heading = headingOf(line);
  if (heading !== undefined)
    return {
      block: { kind: "heading", level: heading.level, children: words(source, heading.text, at + 1) },
      to: at + 1,
    };
  if (isRule(line)) return { block: { kind: "rule" }, to: at + 1 };
  if (depth < deepest && quoteOf(line) > 0) return quoted(source, at);
  if (depth < deepest && itemOf(line) !== undefined) return list(source, at);
  if (isTable(source, at)) return table(source, at);
  return paragraph(source, at);
}

function rest(lines: readonly string[], at: number): Taken {
  const text = lines.slice(at).join("\n");
  return { block: { kind: "paragraph", children: [{ kind: "text", text }] }, to: lines.length };
}

function fenced({ lines, tail }: Lines, at: number): Taken {
  const { indent, marks, language } = fenceOf(lines[at]!)!;
  let end = at + 1;
  while (end < lines.length && !closes(lines[end]!, marks)) end++;
  const open = end === lines.length;
  const inside = lines.slice(at + 1, end).map((line) => outdent(line, indent));
  // Half of the mark that ends it, and the beginning of a line that is not there yet.
  const last = inside.at(-1)?.trim();
  if (open && tail && last !== undefined && marks.startsWith(last)) inside.pop();
  return { block: { kind: "code", language, text: inside.join("\n"), open }, to: end + 1 };
}

function quoted(source: Lines, at: number): Taken {
  const { lines, depth } = source;
  let end = at;
  const inside: string[] = [];
  for (let mark = quoteOf(lines[end]!); mark > 0; mark = quoteOf(lines[end] ?? ""))
    inside.push(lines[end++]!.slice(mark));
  const tail = isLast(source, end);
  return {
    block: { kind: "quote", blocks: source.blocks({ ...source, lines: inside, depth: depth + 1, tail }) },
    to: end,
  };
}

function paragraph(source: Lines, at: number): Taken {
  const { lines } = source;
  let end = at + 1;
  while (end < lines.length && goesOn(source, end)) end++;
  return {
    block: { kind: "paragraph", children: words(source, lines.slice(at, end).join("\n").trim(), end) },
    to: end,
  };
}
