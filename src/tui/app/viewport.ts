/** Computes which conversation rows are on the screen. Only visible blocks are wrapped, so that a long history is cheap. */
import type { Line, Row } from "../line.ts";
import type { Block } from "../transcript/index.ts";
import { rowsOf } from "../wrap.ts";

/** The row at the top of the screen. Without an anchor the view follows the end. */
export interface Anchor {
  readonly block: string;
  /** The row within the block. */
  readonly row: number;
}

export interface VisibleRow {
  readonly row: Row;
  readonly block: Block;
}

export interface Viewport {
  readonly rows: readonly VisibleRow[];
  /** Number of rows below; at most `mostCounted`. */
  readonly below: number;
  /** All blocks of the conversation, if the view is scrolled up. */
  readonly blocks: readonly Block[];
}

/** Rows that were added below while the view was scrolled up. */
export interface Unread {
  readonly width: number;
  /** The end of the conversation in the last frame. */
  readonly end: Anchor | undefined;
  readonly rows: number;
}

/** Counts the rows added since the last frame. Rows that were scrolled into view are no longer new. */
export function countUnread(before: Unread | undefined, width: number, { blocks, below }: Viewport): Unread {
  const added = before?.width === width && before.end !== undefined ? rowsAfter(blocks, before.end, width) : 0;
  const last = blocks.at(-1);
  const end = last && { block: last.id, row: blockRows(last, width).length };
  return { width, end, rows: Math.min((before?.rows ?? 0) + added, below) };
}

/** Zero when the block is gone, for example after a finished turn was folded. */
function rowsAfter(blocks: readonly Block[], { block, row }: Anchor, width: number): number {
  let rows = -row;
  for (let index = blocks.length - 1; index >= 0; index--) {
    rows += lengthAt(blocks, index, width);
    if (blocks[index]!.id === block) return Math.max(0, rows);
    if (rows > mostCounted) return mostCounted;
  }
  return 0;
}

/** Further rows are not counted: counting has to draw them, and a search would stall at each letter. */
export const mostCounted = 999;

const wrapped = new WeakMap<readonly Line[], { readonly width: number; readonly rows: readonly Row[] }>();

export function blockRows(block: Block, width: number): readonly Row[] {
  const known = wrapped.get(block.lines);
  if (known?.width === width) return known.rows;
  const rows = block.lines.flatMap((line) => rowsOf(line, width));
  wrapped.set(block.lines, { width, rows });
  return rows;
}

function lengthAt(blocks: readonly Block[], index: number, width: number): number {
  return blockRows(blocks[index]!, width).length;
}

interface Place {
  readonly index: number;
  readonly row: number;
}

function placeOf(blocks: readonly Block[], anchor: Anchor): Place | undefined {
  const index = blocks.findLastIndex(({ id }) => id === anchor.block);
  if (index === -1) return undefined;
  return { index, row: anchor.row };
}

/** The place from which `height` rows reach to the end; the very start when there are fewer rows. */
function lastPlace(blocks: readonly Block[], width: number, height: number): Place {
  let missing = height;
  for (let index = blocks.length - 1; index >= 0; index--) {
    const length = lengthAt(blocks, index, width);
    if (length >= missing) return { index, row: length - missing };
    missing -= length;
  }
  return { index: 0, row: 0 };
}

/** The rows at the end, found from the end: a frame of a long, growing answer costs as much as its last lines. */
function lastRows(blocks: readonly Block[], width: number, height: number): readonly VisibleRow[] {
  const rows: VisibleRow[] = [];
  for (let index = blocks.length - 1; index >= 0 && rows.length < height; index--) {
    const block = blocks[index]!;
    for (let at = block.lines.length - 1; at >= 0 && rows.length < height; at--)
      for (const row of rowsOf(block.lines[at]!, width).toReversed()) rows.push({ row, block });
  }
  return rows.slice(0, height).toReversed();
}

export function viewport(blocks: readonly Block[], width: number, height: number, anchor?: Anchor): Viewport {
  if (blocks.length === 0 || height <= 0) return { rows: [], below: 0, blocks: [] };
  const from = anchor === undefined ? undefined : placeOf(blocks, anchor);
  if (from === undefined) return { rows: lastRows(blocks, width, height), below: 0, blocks: [] };
  const rows: VisibleRow[] = [];
  let index = from.index;
  for (; index < blocks.length && rows.length < height + from.row; index++) {
    const block = blocks[index]!;
    for (const row of blockRows(block, width)) rows.push({ row, block });
  }
  let below = Math.max(0, rows.length - from.row - height);
  for (; index < blocks.length && below < mostCounted; index++) below += lengthAt(blocks, index, width);
  return { rows: rows.slice(from.row, from.row + height), below: Math.min(below, mostCounted), blocks };
}

/** The anchor after scrolling by rows (negative: up); undefined once the end is reached. */
export function scrolled(
  blocks: readonly Block[],
  size: { readonly width: number; readonly height: number },
  anchor: Anchor | undefined,
  by: number,
): Anchor | undefined {
  if (blocks.length === 0) return undefined;
  const { width, height } = size;
  const last = lastPlace(blocks, width, height);
  let { index, row } = (anchor === undefined ? undefined : placeOf(blocks, anchor)) ?? last;
  row += by;
  while (row < 0 && index > 0) row += lengthAt(blocks, --index, width);
  while (row >= lengthAt(blocks, index, width) && index < blocks.length - 1) row -= lengthAt(blocks, index++, width);
  row = Math.max(0, row);
  if (index > last.index || (index === last.index && row >= last.row)) return undefined;
  return { block: blocks[index]!.id, row };
}

/** The anchor that puts a block at the top. */
export function anchorAt(blocks: readonly Block[], index: number): Anchor | undefined {
  const block = blocks[index];
  return block === undefined ? undefined : { block: block.id, row: 0 };
}

/** The block at the top of the screen. */
export function topBlock(
  blocks: readonly Block[],
  size: { readonly width: number; readonly height: number },
  anchor: Anchor | undefined,
): number {
  if (blocks.length === 0) return 0;
  const place = anchor === undefined ? undefined : placeOf(blocks, anchor);
  return (place ?? lastPlace(blocks, size.width, size.height)).index;
}
