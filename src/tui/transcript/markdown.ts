/** Markdown as lines. Settled blocks of a growing message keep their lines. */
import { printable } from "../../events/printable.ts";
import { markdownDocument, type MarkdownDocument } from "../../view/markdown/document.ts";
import type { Block as MarkdownBlock, ListItem } from "../../view/markdown/nodes.ts";
import type { Line } from "../line.ts";
import { styledColumns } from "../wrap.ts";
import { blanks, reused, within, type Look } from "./block.ts";
import { codeLines, type GrowingCode } from "./code.ts";
import { inlineLines, inlineText } from "./inline.ts";
import { tableLines } from "./table.ts";

/** The lines of a text, and the data that the next call reuses. */
export interface MarkdownLines {
  readonly document: MarkdownDocument;
  readonly lines: readonly Line[];
  /** How many lines belong to blocks that later text cannot change. */
  readonly settledLines: number;
  /** Code in blocks that are not settled, by the place of the block. */
  readonly code: ReadonlyMap<string, GrowingCode>;
}

interface MarkdownLook {
  readonly look: Look;
  /** Columns used before the text. */
  readonly taken?: number;
  readonly streaming: boolean;
  /** The result for a prefix of the same text, with the same look. */
  readonly before?: MarkdownLines | undefined;
}

export function markdownLines(text: string, { look, taken = 0, streaming, before }: MarkdownLook): MarkdownLines {
  const document = markdownDocument(text, { streaming, before: before?.document });
  const { blocks } = document;
  const same = before === undefined ? 0 : sameSettled(before.document, document);
  const code = new Map<string, GrowingCode>();
  const draw = new Drawing(look, before?.code ?? new Map(), code);
  const width = look.width - taken;
  const lines: Line[] = before === undefined ? [] : before.lines.slice(0, same === 0 ? 0 : before.settledLines);
  let settledLines = lines.length;
  for (let at = same; at < blocks.length; at++) {
    if (at > 0) lines.push({ text: "" });
    for (const line of draw.block(blocks[at]!, width, String(at))) lines.push(line);
    if (at < document.settled) settledLines = lines.length;
  }
  return {
    document,
    lines: before === undefined ? lines : reused(before.lines, lines),
    settledLines: streaming ? settledLines : lines.length,
    code,
  };
}

/** All settled blocks of the last call, or none if something changed their meaning, such as a link definition. */
function sameSettled(before: MarkdownDocument, now: MarkdownDocument): number {
  const { settled } = before;
  return settled > 0 && settled <= now.blocks.length && before.blocks[settled - 1] === now.blocks[settled - 1]
    ? settled
    : 0;
}

/** Deeper quotes and lists are drawn at this depth. */
const deepest = 8;

class Drawing {
  readonly #look: Look;
  readonly #before: ReadonlyMap<string, GrowingCode>;
  readonly #code: Map<string, GrowingCode>;

  constructor(look: Look, before: ReadonlyMap<string, GrowingCode>, code: Map<string, GrowingCode>) {
    this.#look = look;
    this.#before = before;
    this.#code = code;
  }

  block(block: MarkdownBlock, width: number, place: string, depth = 0): Line[] {
    const look = this.#look;
    const { theme } = look;
    switch (block.kind) {
      case "paragraph":
        return inlineLines(block.children, look).map((text) => ({ text }));
      case "heading": {
        const text = inlineText(block.children, look);
        return [{ text: theme.heading(block.level === 1 ? theme.underline(text) : text) }];
      }
      case "code":
        return this.#codeBlock(block, place);
      case "quote":
        return this.#quote(block.blocks, width, place, depth);
      case "list":
        return block.items.flatMap((item, at) => {
          const lines = this.#item(item, {
            ...{ mark: mark(block.start, at, item), width, place: `${place}.${at}`, depth, loose: block.loose },
          });
          return at > 0 && block.loose ? [{ text: "" }, ...lines] : lines;
        });
      case "table":
        return tableLines(block, look, width);
      case "rule":
        return [{ text: theme.border("─".repeat(Math.max(1, Math.min(width, 40)))), source: "---", wrap: "cut" }];
    }
  }

  #codeBlock({ text, language, open }: Extract<MarkdownBlock, { kind: "code" }>, place: string): Line[] {
    const look = this.#look;
    const code = codeLines(text, { look, language, open, before: this.#before.get(place) });
    this.#code.set(place, code);
    if (language === "") return [...code.lines];
    return [{ text: look.theme.dim(printable(language)), source: "", prefix: "  ", wrap: "cut" }, ...code.lines];
  }

  #quote(blocks: readonly MarkdownBlock[], width: number, place: string, depth: number): Line[] {
    const bar = depth < deepest ? this.#look.theme.border("│ ") : "";
    return within(this.#blocks(blocks, { width: width - 2, place, depth: depth + 1, loose: true }), bar, bar);
  }

  #item(item: ListItem, options: ItemOptions): Line[] {
    const { mark, depth } = options;
    const styled = depth < deepest ? this.#look.theme.accent(mark) : "";
    const width = options.width - styledColumns(mark);
    const lines = this.#blocks(item.blocks, { ...options, width, depth: depth + 1 });
    return within(lines.length === 0 ? [{ text: "" }] : lines, styled, blanks(styled));
  }

  #blocks(blocks: readonly MarkdownBlock[], { width, place, depth, loose }: Omit<ItemOptions, "mark">): Line[] {
    return blocks.flatMap((block, at) => {
      const lines = this.block(block, width, `${place}.${at}`, depth);
      // Paragraphs in a tight list have no gap.
      return at > 0 && loose ? [{ text: "" }, ...lines] : lines;
    });
  }
}

interface ItemOptions {
  readonly mark: string;
  readonly width: number;
  readonly place: string;
  readonly depth: number;
  readonly loose: boolean;
}

function mark(start: number | undefined, at: number, { checked }: ListItem): string {
  const bullet = start === undefined ? "• " : `${start + at}. `;
  if (checked === undefined) return bullet;
  return start === undefined ? (checked ? "☑ " : "☐ ") : `${bullet}${checked ? "☑ " : "☐ "}`;
}
