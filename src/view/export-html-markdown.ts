/** The Markdown that agents write, as HTML. All tags are ours: HTML within it is shown as it was written. */
import { inlineHtml } from "./export-html-inline.ts";
import { escapeHtml } from "./export-html-text.ts";
import { type Block, type Inline, type ListItem, markdownDocument } from "./markdown/index.ts";

export function markdownHtml(text: string): string {
  return blocksHtml(markdownDocument(text).blocks);
}

function blocksHtml(blocks: readonly Block[]): string {
  return blocks.map(blockHtml).join("");
}

function blockHtml(block: Block): string {
  switch (block.kind) {
    case "paragraph":
      return `<p dir="auto">${inlineHtml(block.children)}</p>\n`;
    case "heading": {
      // The page itself has the first two.
      const level = Math.min(6, block.level + 2);
      return `<h${level} dir="auto">${inlineHtml(block.children)}</h${level}>\n`;
    }
    case "code":
      return `<pre><code>${escapeHtml(block.text)}</code></pre>\n`;
    case "quote":
      return `<blockquote>${blocksHtml(block.blocks)}</blockquote>\n`;
    case "list": {
      const items = block.items.map((item) => itemHtml(item, block.loose)).join("");
      return block.start === undefined ? `<ul>${items}</ul>\n` : `<ol start="${block.start}">${items}</ol>\n`;
    }
    case "table":
      return tableHtml(block);
    case "rule":
      return "<hr>\n";
  }
}

/** In a list without empty lines a paragraph stands without its own. */
function itemHtml({ checked, blocks }: ListItem, loose: boolean): string {
  const box = checked === undefined ? "" : checked ? "☑ " : "☐ ";
  const inside = blocks.map((block) =>
    !loose && block.kind === "paragraph" ? inlineHtml(block.children) : blockHtml(block),
  );
  return `<li dir="auto">${box}${inside.join("")}</li>\n`;
}

function tableHtml({ head, rows }: Extract<Block, { kind: "table" }>): string {
  const row = (cells: readonly (readonly Inline[])[], tag: "td" | "th") =>
    `<tr>${cells.map((cell) => `<${tag} dir="auto">${inlineHtml(cell)}</${tag}>`).join("")}</tr>\n`;
  const body = rows.map((cells) => row(cells, "td")).join("");
  return `<div class="wide"><table><thead>${row(head, "th")}</thead><tbody>${body}</tbody></table></div>\n`;
}
