/** Inline text of a paragraph: emphasis, code, links. */
import { oneLine, printable } from "../../events/printable.ts";
import type { Inline } from "../../view/markdown/nodes.ts";
import { plain } from "../wrap.ts";
import type { Look } from "./block.ts";

/** The text of each line; a hard break begins a new one. */
export function inlineLines(nodes: readonly Inline[], look: Look): string[] {
  return styledText(nodes, look).split("\n");
}

/** All text on one line, for a table cell or a heading. */
export function inlineText(nodes: readonly Inline[], look: Look): string {
  return styledText(nodes, look).replaceAll("\n", " ");
}

function styledText(nodes: readonly Inline[], look: Look): string {
  return nodes.map((node) => styledNode(node, look)).join("");
}

function styledNode(node: Inline, look: Look): string {
  const { theme } = look;
  switch (node.kind) {
    case "text":
      // A soft line break is no break, and a tab is a blank.
      return printable(node.text).replace(/\s/g, " ");
    case "code":
      return theme.code(printable(node.text).replace(/\s/g, " "));
    case "break":
      return "\n";
    case "em":
      return eachLine(styledText(node.children, look), theme.italic);
    case "strong":
      return eachLine(styledText(node.children, look), theme.bold);
    case "del":
      return eachLine(styledText(node.children, look), theme.strike);
    case "link":
      return link(node, look);
  }
}

function link({ href, target, children }: Extract<Inline, { kind: "link" }>, look: Look): string {
  const { theme } = look;
  const text = styledText(children, look);
  const address = oneLine(href ?? target);
  const label = href === undefined ? text : eachLine(text, (line) => theme.underline(theme.link(line)));
  const said = oneLine(plain(text).replaceAll("\n", " "));
  const same = address === "" || said === address || `mailto:${said}` === address || address.endsWith(`://${said}`);
  return same ? label : `${label} ${theme.dim(`(${address})`)}`;
}

/** A style never crosses a line break: each line stands alone. */
function eachLine(text: string, style: (line: string) => string): string {
  return text.split("\n").map(style).join("\n");
}
