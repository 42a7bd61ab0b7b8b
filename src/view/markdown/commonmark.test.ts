/**
 * The 652 examples of CommonMark 0.31.2.
 *
 * The test writes our nodes as HTML and compares that with the HTML of the specification. Our nodes hold less than that HTML, so the
 * expected HTML is changed first: link titles are removed, an image becomes a link with its label, and an apostrophe is escaped as our own
 * HTML does. A link's address is compared as parsed; markdown.test.ts tests which addresses may be followed. Examples that differ on
 * purpose are listed by number with the reason, and must differ. Examples with raw HTML must give what CommonMark gives without raw HTML.
 */
import { createRequire } from "node:module";
import MarkdownIt from "markdown-it";
import { describe, expect, it } from "vitest";
import { escapeHtml } from "../export-html.ts";
import { markdownDocument } from "./document.ts";
import type { Block, Inline } from "./nodes.ts";
import { encodeAddress } from "./parser.ts";

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** Compared with CommonMark's result when raw HTML is disabled, because we show raw HTML as text. */
const rawHtml: readonly number[] = [
  ...[21, 31, ...range(148, 191), 201, 308, 309, 344, ...range(475, 477), 491, 494, 524, 536],
  ...[...range(613, 617), 623, ...range(625, 631), 642, 643],
];

const onPurpose: Readonly<Record<string, readonly number[]>> = {
  "a link or image without a label shows its address": [484, 581],
  "an image within a link is its label, because a link cannot be in a link": [517, 531],
  "a bare address is a link, as on GitHub": [602, 608, 611],
};

function blocksHtml(blocks: readonly Block[]): string {
  return blocks.map(blockHtml).join("");
}

function blockHtml(block: Block): string {
  switch (block.kind) {
    case "paragraph":
      return `<p>${inlineHtml(block.children)}</p>\n`;
    case "heading":
      return `<h${block.level}>${inlineHtml(block.children)}</h${block.level}>\n`;
    case "code": {
      const language = block.language === "" ? "" : ` class="language-${escapeHtml(block.language)}"`;
      return `<pre><code${language}>${escapeHtml(block.text === "" ? "" : `${block.text}\n`)}</code></pre>\n`;
    }
    case "quote":
      return `<blockquote>\n${blocksHtml(block.blocks)}</blockquote>\n`;
    case "rule":
      return "<hr />\n";
    case "list": {
      const items = block.items.map(({ blocks }) => `<li>${itemHtml(blocks, block.loose)}</li>\n`).join("");
      const start = block.start === undefined || block.start === 1 ? "" : ` start="${block.start}"`;
      return block.start === undefined ? `<ul>\n${items}</ul>\n` : `<ol${start}>\n${items}</ol>\n`;
    }
    case "table":
      throw new Error("CommonMark has no tables.");
  }
}

function itemHtml(blocks: readonly Block[], loose: boolean): string {
  let html = "";
  for (const block of blocks) {
    const plain = !loose && block.kind === "paragraph";
    html += plain ? inlineHtml(block.children) : `${html.endsWith("\n") ? "" : "\n"}${blockHtml(block)}`;
  }
  return html;
}

function inlineHtml(nodes: readonly Inline[]): string {
  return nodes
    .map((node) => {
      switch (node.kind) {
        case "text":
          return escapeHtml(node.text);
        case "code":
          return `<code>${escapeHtml(node.text)}</code>`;
        case "break":
          return "<br />\n";
        case "link":
          return `<a href="${escapeHtml(encodeAddress(node.target))}">${inlineHtml(node.children)}</a>`;
        default:
          return `<${node.kind}>${inlineHtml(node.children)}</${node.kind}>`;
      }
    })
    .join("");
}

function comparable(html: string): string {
  return html
    .replaceAll(/ title="[^"]*"/g, "")
    .replaceAll("'", "&#39;")
    .replaceAll(/<img src="([^"]*)" alt="([^"]*)" \/>/g, '<a href="$1">$2</a>');
}

const require = createRequire(import.meta.url);
const { tests } = require("commonmark-spec") as {
  readonly tests: readonly { readonly number: number; readonly markdown: string; readonly html: string }[];
};
// The specification writes tabs as arrows.
const examples = tests.map(({ number, markdown, html }) => ({
  number,
  source: markdown.replaceAll("→", "\t"),
  html: html.replaceAll("→", "\t"),
}));
const ours = (source: string) => blocksHtml(markdownDocument(source).blocks);

describe("CommonMark", () => {
  it("has all 652 examples", () => expect(examples.length).toBe(652));

  const listed = new Set([...rawHtml, ...Object.values(onPurpose).flat()]);
  it.each(examples.filter(({ number }) => !listed.has(number)))("example $number", ({ source, html }) =>
    expect(ours(source)).toBe(comparable(html)),
  );

  it.each(examples.filter(({ number }) => rawHtml.includes(number)))(
    "example $number, raw HTML as text",
    ({ source }) => expect(ours(source)).toBe(comparable(new MarkdownIt("commonmark", { html: false }).render(source))),
  );

  it.each(Object.entries(onPurpose))("differs on purpose: %s", (_, numbers) => {
    for (const { number, source, html } of examples)
      if (numbers.includes(number)) expect(ours(source)).not.toBe(comparable(html));
  });

  it("matches the parser's own HTML for all examples", () => {
    const parser = new MarkdownIt("commonmark");
    // markdown-it writes no newline into an empty block quote.
    const written = (html: string) => html.replaceAll("<blockquote></blockquote>", "<blockquote>\n</blockquote>");
    for (const { source, html } of examples) expect(written(parser.render(source))).toBe(html);
  });
});
