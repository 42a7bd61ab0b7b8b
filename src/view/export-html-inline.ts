/** What is marked within a paragraph, as HTML. */
import { escapeHtml, linkHtml } from "./export-html-text.ts";
import type { Inline } from "./markdown/index.ts";

export function inlineHtml(nodes: readonly Inline[]): string {
  return nodes.map(nodeHtml).join("");
}

function nodeHtml(node: Inline): string {
  switch (node.kind) {
    case "text":
      return escapeHtml(node.text);
    case "code":
      return `<code>${escapeHtml(node.text)}</code>`;
    case "break":
      return "<br>";
    case "link": {
      const label = inlineHtml(node.children);
      if (node.href !== undefined) return linkHtml(node.href, label);
      return node.target === "" ? label : `${label} <span class="quiet">(${escapeHtml(node.target)})</span>`;
    }
    case "em":
    case "strong":
    case "del":
      return `<${node.kind}>${inlineHtml(node.children)}</${node.kind}>`;
  }
}
