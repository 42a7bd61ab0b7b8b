/** A conversation as blocks of lines. Unchanged blocks keep their object identity from one call to the next. */
import { printable } from "../../events/printable.ts";
import { itemStamp } from "../../view/item-stamp.ts";
import type { Conversation, Item, TextItem, TurnEntry } from "../../view/model.ts";
import type { Line } from "../line.ts";
import { copyText } from "../wrap.ts";
import { reused, type Block, type BlockKind, type Look } from "./block.ts";
import * as items from "./items.ts";
import { markdownLines, type MarkdownLines } from "./markdown.ts";
import * as turns from "./turn.ts";

/** A block before it is drawn. */
interface Part {
  /** The object that the block is made of; the block is cached as long as it lives. */
  readonly of: object;
  readonly id: string;
  readonly kind: BlockKind;
  readonly foldable: boolean;
  readonly settled: boolean;
  /** The block is reused as long as this is equal. */
  readonly stamp: string;
  readonly draw: () => { readonly lines: readonly Line[]; readonly settledLines?: number };
  readonly text?: () => string;
}

interface Known {
  readonly stamp: string;
  readonly gap: boolean;
  readonly block: DrawnBlock;
}

/** Finished entries at the end that are checked in each call: an agent may report a change late. */
const alwaysChecked = 8;

export class Transcript {
  readonly #conversation: Conversation;
  readonly #ids = new Ids();
  #look: Look | undefined;
  #unfolded: ReadonlySet<string> = new Set();
  #known = new WeakMap<object, Known>();
  #texts = new WeakMap<TextItem, MarkdownLines>();
  /** The blocks of the finished entries at the start. */
  #frozen: Block[] = [];
  #frozenEntries = 0;
  #last: readonly Block[] = [];

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  blocks(look: Look): readonly Block[] {
    this.prepare(look, Infinity);
    const tail = this.#made(look, this.#frozenEntries, this.#frozen.at(-1));
    const blocks = this.#frozen.concat(tail);
    if (!sameBlocks(blocks, this.#last, tail.length)) this.#last = blocks;
    return this.#last;
  }

  /** The blocks of the last `count` entries. The first block may lack its gap, unless `isWhole`: then these are all blocks. */
  lastBlocks(look: Look, count: number): { readonly blocks: readonly Block[]; readonly isWhole: boolean } {
    this.#use(look);
    const from = this.#conversation.entries.length - count;
    if (from <= this.#frozenEntries) return { blocks: this.blocks(look), isWhole: true };
    return { blocks: this.#made(look, from), isWhole: false };
  }

  /** Builds the blocks of some more finished entries at the start. Returns whether there are more. */
  prepare(look: Look, most: number): boolean {
    this.#use(look);
    const { entries } = this.#conversation;
    for (let left = most; this.#frozenEntries < entries.length - alwaysChecked; left--) {
      if (!isOver(entries[this.#frozenEntries]!, look)) return false;
      if (left <= 0) return true;
      this.#add(this.#frozen, look, this.#frozenEntries);
      this.#frozenEntries += 1;
    }
    return false;
  }

  #made(look: Look, from: number, before?: Block): readonly Block[] {
    const blocks: Block[] = [];
    for (let at = from; at < this.#conversation.entries.length; at++) this.#add(blocks, look, at, before);
    return blocks;
  }

  /** `first`: the block before these blocks. */
  #add(blocks: Block[], look: Look, at: number, first?: Block): void {
    for (const part of this.#parts(this.#conversation.entries[at]!, look)) {
      const before = blocks.at(-1) ?? first;
      blocks.push(this.#block(part, before !== undefined && hasGap(before.kind, part.kind), at));
    }
  }

  /** Drops the cache when the look or the open blocks changed. */
  #use(look: Look): void {
    const before = this.#look;
    const same =
      before !== undefined &&
      appearance.every((name) => before[name] === look[name]) &&
      this.#frozenEntries <= this.#conversation.entries.length;
    if (!same) {
      this.#known = new WeakMap();
      this.#texts = new WeakMap();
    }
    if (!same || !sameSet(this.#unfolded, look.unfolded)) {
      this.#frozen = [];
      this.#frozenEntries = 0;
      this.#unfolded = new Set(look.unfolded);
    }
    this.#look = look;
  }

  #block(part: Part, gap: boolean, entry: number): Block {
    const known = this.#known.get(part.of);
    // The inline screen has printed settled blocks: they stay, even if an agent still reports something about them.
    const printed = known?.block.settled === true && this.#look?.foldTurns === false;
    const same = known?.gap === gap && (known.stamp === part.stamp || (printed && known.block.id === part.id));
    if (known !== undefined && same) return known.block;
    const block = new DrawnBlock(part, gap, entry, known?.block);
    this.#known.set(part.of, { stamp: part.stamp, gap, block });
    return block;
  }

  #parts(entry: TurnEntry | Item, look: Look): Part[] {
    if (entry.kind === "turn") return this.#turn(entry, look);
    return items.isShown(entry) ? [this.#item(entry, look, false)] : [];
  }

  #turn(turn: TurnEntry, look: Look): Part[] {
    const { end } = turn;
    const parts = this.#start(turn, look);
    const ended = end !== undefined;
    const { steps, kept } = turns.partsOf(turn);
    const folds = look.foldTurns && ended && steps.length > 0 && !look.unfolded.has(readingId(turn.id));
    const id = `turn:${turn.id}`;
    const open = isOpen(look, id);
    if (folds) {
      const draw = () => ({ lines: turns.foldLines(end, look, open) });
      const fixed = { id, kind: "turn", foldable: true, settled: true } as const;
      parts.push({ ...fixed, of: turn.items, stamp: String(open), draw });
    }
    const shown = folds && !open ? kept : turn.items.filter(items.isShown);
    for (const item of shown) parts.push(this.#item(item, look, ended));
    if (ended && turns.saysEnd(turn, look)) {
      const draw = () => ({ lines: turns.endLines(end, look, turn.usage?.costUsd) });
      const fixed = { id: `end:${turn.id}`, kind: "end", foldable: false, settled: true } as const;
      parts.push({ ...fixed, of: end, stamp: "", draw });
    }
    return parts;
  }

  #start(turn: TurnEntry, look: Look): Part[] {
    const { input } = turn;
    const fixed = { of: turn, settled: true } as const;
    const id = `prompt:${turn.id}`;
    if (input === undefined) {
      if (turn.origin === "prompt") return [];
      const draw = () => ({ lines: turns.originLines(turn, this.#conversation, look) });
      return [{ ...fixed, id, kind: "notice", foldable: false, stamp: "", draw }];
    }
    const open = isOpen(look, id);
    const said = turn.origin === "prompt" ? undefined : "from the agent itself";
    const draw = () => ({ lines: items.promptLines(input, { look, open, said }) });
    const text = () => printable(input.text);
    return [{ ...fixed, id, kind: "prompt", foldable: items.isLong(input.text), stamp: String(open), draw, text }];
  }

  #item(item: Item, look: Look, ended: boolean): Part {
    const id = this.#ids.of(item);
    const open = isOpen(look, id);
    const idOf = (inner: Item): string => this.#ids.of(inner);
    const isText = item.kind === "message" || item.kind === "thought";
    // Inline, printing does not wait for items of a turn that is over.
    const settled = items.isOver(item, look) || (ended && !look.foldTurns);
    return {
      ...{ of: item, id, kind: items.kindOf(item), foldable: items.isFoldable(item), settled },
      stamp: `${settled}|${open}|${itemStamp(item, (inner) => isOpen(look, idOf(inner)))}`,
      draw: isText
        ? () => this.#text(item, look, open)
        : () => ({ lines: items.itemLines(item, { look, open, idOf }) }),
      ...(isText && { text: () => printable(item.text).trim() }),
    };
  }

  #text(item: TextItem, look: Look, open: boolean): { lines: readonly Line[]; settledLines?: number } {
    const read = (taken: number): MarkdownLines => {
      const { streaming } = item;
      const read = markdownLines(item.text, { look, taken, streaming, before: this.#texts.get(item) });
      this.#texts.set(item, read);
      return read;
    };
    if (item.kind === "thought") return { lines: items.thoughtLines(item, look, open, () => read(2).lines) };
    const { lines, settledLines } = read(0);
    return { lines: [...lines, ...items.messageEnd(item, look)], settledLines };
  }
}

/** Id in `unfolded` for a turn that ended while the person was reading it: it stays open. */
export function readingId(turnId: string): string {
  return `reading:${turnId}`;
}

export function isReadingId(id: string): boolean {
  return id.startsWith("reading:");
}

const appearance = ["width", "theme", "expandAll", "foldTurns", "images", "cwd", "home", "highlight"] as const;

function isOpen(look: Look, id: string): boolean {
  return look.expandAll || look.unfolded.has(id);
}

function isOver(entry: TurnEntry | Item, look: Look): boolean {
  if (entry.kind !== "turn") return items.isOver(entry, look);
  return entry.end !== undefined && entry.items.every((item) => items.isOver(item, look));
}

/** Steps have no gap between them; texts have one before and after. */
function hasGap(before: BlockKind, kind: BlockKind): boolean {
  return isText(before) || isText(kind);
}

function isText(kind: BlockKind): boolean {
  return kind === "prompt" || kind === "message" || kind === "plan";
}

function sameSet(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  if (one.size !== other.size) return false;
  for (const value of one) if (!other.has(value)) return false;
  return true;
}

/** Compares two lists that may differ only in their last `tail` blocks. */
function sameBlocks(one: readonly Block[], other: readonly Block[], tail: number): boolean {
  if (one.length !== other.length) return false;
  for (let at = Math.max(0, one.length - tail - 1); at < one.length; at++) if (one[at] !== other[at]) return false;
  return one[0] === other[0];
}

/** Builds the lines of a settled block on first use: a long history opens at its end. */
class DrawnBlock implements Block {
  readonly id: string;
  readonly kind: BlockKind;
  readonly foldable: boolean;
  readonly settled: boolean;
  readonly entry: number;
  readonly #part: Part;
  readonly #gap: boolean;
  #drawn: { readonly lines: readonly Line[]; readonly settledLines: number } | undefined;
  #before: readonly Line[] | undefined;
  #text: string | undefined;

  constructor(part: Part, gap: boolean, entry: number, before: DrawnBlock | undefined) {
    this.entry = entry;
    ({ id: this.id, kind: this.kind, foldable: this.foldable, settled: this.settled } = part);
    this.#part = part;
    this.#gap = gap;
    if (before !== undefined) this.#before = before.#drawn === undefined ? before.#before : before.#drawn.lines;
    if (!part.settled) this.#draw();
  }

  get lines(): readonly Line[] {
    return this.#draw().lines;
  }

  get settledLines(): number {
    return this.settled ? this.lines.length : this.#draw().settledLines;
  }

  get text(): string {
    this.#text ??= this.#part.text?.() ?? this.lines.map(copyText).join("\n").trim();
    return this.#text;
  }

  #draw() {
    if (this.#drawn !== undefined) return this.#drawn;
    const { lines, settledLines = 0 } = this.#part.draw();
    const all = this.#gap ? [{ text: "" }, ...lines] : lines;
    this.#drawn = {
      lines: this.#before === undefined ? all : reused(this.#before, all),
      settledLines: settledLines === 0 ? 0 : settledLines + (this.#gap ? 1 : 0),
    };
    this.#before = undefined;
    return this.#drawn;
  }
}

/** A stable name for each item. */
class Ids {
  readonly #ids = new WeakMap<Item, string>();
  readonly #used = new Map<string, number>();

  of(item: Item): string {
    const known = this.#ids.get(item);
    if (known !== undefined) return known;
    const name = nameOf(item);
    const times = (this.#used.get(name) ?? 0) + 1;
    this.#used.set(name, times);
    // An agent may reuse an id.
    const id = times === 1 ? name : `${name}:${times}`;
    this.#ids.set(item, id);
    return id;
  }
}

function nameOf(item: Item): string {
  switch (item.kind) {
    case "message":
    case "thought":
      return `${item.kind}:${item.id}`;
    case "tool":
      return `tool:${item.callId}`;
    case "permission":
    case "question":
      return `${item.kind}:${item.requestId}`;
    case "task":
      return `task:${item.task.taskId}`;
    default:
      return item.kind;
  }
}
