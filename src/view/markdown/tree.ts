/** Builds our nodes from markdown-it tokens, up to a maximum number of nodes that a page can draw. */
import type { Token } from "markdown-it";
import { safeAddress, type Align, type Block, type Inline, type ListItem } from "./nodes.ts";
import { encodeAddress, fenceLanguage, imageLabel, inlineTokens, type MarkdownEnv } from "./parser.ts";
import { finishedCode, finishedInline, mostColumns } from "./unfinished.ts";

/** A longer paragraph stays plain text: the cost of some marks grows with the square of its length. */
const longestInline = 20_000;
const deepestInline = 16;

interface TreeSource {
  readonly tokens: readonly Token[];
  readonly lines: readonly string[];
  readonly env: MarkdownEnv;
  readonly left: number;
  readonly leaf: number;
}

/** A top-level block and its lines. A link definition has lines but no block. */
export interface Placed {
  readonly type: string;
  readonly block: Block | undefined;
  readonly from: number;
  readonly to: number;
  /** How many nodes were still allowed when this block began. */
  readonly left: number;
}

export class TreeBuilder {
  readonly #source: TreeSource;
  readonly #unfinished: ReadonlySet<Token>;
  #at = 0;
  #left: number;

  constructor(source: TreeSource) {
    this.#source = source;
    this.#left = source.left;
    this.#unfinished = unfinishedTokens(source);
  }

  placed(): Placed[] {
    const { tokens, lines } = this.#source;
    const placed: Placed[] = [];
    while (this.#at < tokens.length) {
      const left = this.#left;
      const { type, map } = tokens[this.#at]!;
      const [block] = this.#next(lines.length);
      placed.push({ type, block, from: map![0], to: left > 0 ? map![1] : lines.length, left });
    }
    return placed;
  }

  #blocks(end: number): Block[] {
    const blocks: Block[] = [];
    while (this.#token.nesting !== -1) blocks.push(...this.#next(end));
    return blocks;
  }

  get #token(): Token {
    return this.#source.tokens[this.#at]!;
  }

  /** Parses the block that begins here, in a container that ends at line `end`. */
  #next(end: number): readonly [] | readonly [Block] {
    if (this.#left <= 0) return [this.#rest(end)];
    const token = this.#token;
    if (token.type === "reference_definition") {
      this.#at++;
      return [];
    }
    this.#left--;
    return [this.#block(token)];
  }

  #block(token: Token): Block {
    this.#at++;
    switch (token.type) {
      case "heading_open":
        return { kind: "heading", level: Number(token.tag.slice(1)), children: this.#text() };
      case "fence":
        return this.#fence(token);
      case "code_block":
        return { kind: "code", language: "", text: token.content.replace(/\n$/, ""), open: false };
      case "hr":
        return { kind: "rule" };
      case "blockquote_open": {
        const blocks = this.#blocks(token.map![1]);
        this.#at++;
        return { kind: "quote", blocks };
      }
      case "bullet_list_open":
      case "ordered_list_open":
        return this.#list(token);
      case "table_open":
        return this.#table(token);
      default:
        return { kind: "paragraph", children: this.#text() };
    }
  }

  #fence(token: Token): Block {
    const content = token.content.replace(/\n$/, "");
    const [from, to] = token.map!;
    const lines = token.content === "" ? 0 : content.split("\n").length;
    const open = to - from === lines + 1;
    const text = open && this.#unfinished.has(token) ? finishedCode(content, token.markup) : content;
    return { kind: "code", language: fenceLanguage(token), text, open };
  }

  #list(token: Token): Block {
    const items: ListItem[] = [];
    let loose = false;
    while (this.#token.nesting !== -1) {
      if (this.#left-- <= 0) {
        items.push({ checked: undefined, blocks: [this.#rest(token.map![1])] });
        break;
      }
      const item = this.#token;
      this.#at++;
      const checked = this.#takeBox();
      loose ||= this.#hasLooseParagraph();
      items.push({ checked, blocks: this.#blocks(item.map![1]) });
      this.#at++;
    }
    this.#at++;
    const start = token.type === "ordered_list_open" ? Number(token.attrGet("start") ?? 1) : undefined;
    return { kind: "list", start, loose, items };
  }

  /** Removes the checkbox from the text of a task item and returns whether it is checked. */
  #takeBox(): boolean | undefined {
    const text = this.#source.tokens[this.#at + 1];
    if (this.#token.type !== "paragraph_open" || text === undefined) return undefined;
    const [whole, box] = /^\[([ xX])\]\s+(?=\S)/.exec(text.content) ?? [];
    if (whole === undefined) return undefined;
    text.content = text.content.slice(whole.length);
    return box !== " ";
  }

  /** markdown-it marks the paragraphs of a tight list as hidden. */
  #hasLooseParagraph(): boolean {
    const { tokens } = this.#source;
    const { level } = this.#token;
    for (let at = this.#at; tokens[at]!.level >= level; at++) {
      const { type, hidden } = tokens[at]!;
      if (type === "paragraph_open" && tokens[at]!.level === level) return !hidden;
    }
    return false;
  }

  #table(token: Token): Block {
    const { tokens } = this.#source;
    const align: Align[] = [];
    this.#at += 2;
    for (let at = this.#at; tokens[at]!.type === "th_open"; at += 3) align.push(alignOf(tokens[at]!));
    if (align.length > mostColumns) {
      this.#at -= 2;
      return this.#rest(token.map![1]);
    }
    const head = this.#cells();
    const rows: (readonly (readonly Inline[])[])[] = [];
    this.#at++;
    const body = this.#token;
    if (body.type === "tbody_open") {
      this.#at++;
      while (this.#token.nesting !== -1) {
        this.#left -= align.length + 1;
        if (this.#left <= 0) {
          rows.push([[this.#restText(token.map![1])], ...align.slice(1).map(() => [])]);
          break;
        }
        this.#at++;
        rows.push(this.#cells());
      }
      this.#at++;
    }
    this.#at++;
    return { kind: "table", align, head, rows };
  }

  #cells(): (readonly Inline[])[] {
    const cells: (readonly Inline[])[] = [];
    while (this.#token.nesting !== -1) {
      this.#at++;
      cells.push(this.#text());
    }
    this.#at++;
    return cells;
  }

  /** The inlines between an opening token and its closing token. */
  #text(): readonly Inline[] {
    const token = this.#token;
    this.#at += 2;
    const unfinished = this.#unfinished.has(token);
    if (token.content.length > longestInline || this.#left <= 0)
      return token.content === "" ? [] : [{ kind: "text", text: token.content }];
    const env = { ...this.#source.env, closeMarks: unfinished };
    const nodes = inlineNodes(inlineTokens(unfinished ? finishedInline(token.content) : token.content, env));
    this.#left -= nodes.count;
    return nodes.children;
  }

  /** The rest of the container as source text. */
  #rest(end: number): Block {
    return { kind: "paragraph", children: [this.#restText(end)] };
  }

  #restText(end: number): Inline {
    const { tokens, lines } = this.#source;
    const { level, map } = this.#token;
    while (this.#at < tokens.length && tokens[this.#at]!.level >= level) this.#at++;
    return { kind: "text", text: lines.slice(map![0], end).join("\n") };
  }
}

/** The token in which the text breaks off, and the other cells of its table row. */
function unfinishedTokens({ tokens, leaf }: TreeSource): ReadonlySet<Token> {
  if (leaf < 0) return new Set();
  const row = /^t[dh]_open$/.test(tokens[leaf - 1]?.type ?? "");
  const from = row ? tokens.findLastIndex(({ type }) => type === "tr_open") : leaf;
  return new Set(tokens.slice(from, leaf + 1));
}

function alignOf(token: Token): Align {
  const [, align] = /text-align:(\w+)/.exec(String(token.attrGet("style") ?? "")) ?? [];
  return align as Align;
}

interface Frame {
  readonly children: Inline[];
  readonly close: (children: readonly Inline[]) => Inline;
}

function inlineNodes(tokens: readonly Token[]): { readonly children: readonly Inline[]; readonly count: number } {
  const root: Inline[] = [];
  const frames: Frame[] = [];
  let ignored = 0;
  let linked = false;
  let count = 0;
  const add = (node: Inline) => {
    const into = frames.at(-1)?.children ?? root;
    const last = into.at(-1);
    if (node.kind === "text" && last?.kind === "text") into[into.length - 1] = text(last.text + node.text);
    else into.push(node);
    count++;
  };
  for (const token of tokens) {
    if (token.nesting === 1) {
      if (frames.length >= deepestInline) ignored++;
      else frames.push({ children: [], close: closing(token) });
      linked ||= token.type === "link_open";
    } else if (token.nesting === -1) {
      linked &&= token.type !== "link_close";
      if (ignored > 0) ignored--;
      else {
        const { children, close } = frames.pop()!;
        add(close(children));
      }
    } else if (token.type === "image") {
      const label = imageLabel(token);
      if (linked) add(text(label));
      else add(link(token.attrGet("src"), label === "" ? [] : [text(label)]));
    } else if (token.type === "code_inline") add({ kind: "code", text: token.content });
    else if (token.type === "hardbreak") add({ kind: "break" });
    else if (token.type === "softbreak") add(text("\n"));
    else if (token.content !== "") add(text(token.content));
  }
  return { children: root, count };
}

const marks = { em_open: "em", strong_open: "strong", s_open: "del" } as const;

function closing(token: Token): Frame["close"] {
  if (token.type === "link_open") return (children) => link(token.attrGet("href"), children);
  const kind = marks[token.type as keyof typeof marks];
  return (children) => ({ kind, children });
}

/** Images become links: nothing is loaded from an address that an agent chose. */
function link(address: string | number | null, children: readonly Inline[]): Inline {
  const target = String(address ?? "");
  const href = safeAddress(encodeAddress(target));
  return { kind: "link", href, target, children: children.length === 0 && target !== "" ? [text(target)] : children };
}

function text(value: string): Extract<Inline, { kind: "text" }> {
  return { kind: "text", text: value };
}
