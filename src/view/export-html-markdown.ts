/** The Markdown that agents write, as HTML. All tags are ours: HTML within it is shown as it was written. */
import { printable } from "../events/printable.ts";
import { inlineHtml } from "./export-html-inline.ts";
import { escapeHtml } from "./export-html-text.ts";

/** Lists and quotes within each other further than this are plain text. */
const deepest = 6;
const fenceMark = /^ {0,3}(`{3,}|~{3,})([^`]*)$/;
const headingMark = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/;
const ruleMark = /^ {0,3}(?:-[ -]{2,}|\*[ *]{2,}|_[ _]{2,})$/;
const itemMark = /^( {0,12})([-*+]|\d{1,9}[.)])[ \t]+(?=\S)/;
const quoteMark = /^ {0,3}> ?/;
const tableMark = /^[ |:-]{3,2000}$/;

export function markdownHtml(text: string): string {
  return blocks(printable(text).replaceAll("\t", "    ").split("\n"), 0);
}

function blocks(lines: readonly string[], depth: number): string {
  let html = "";
  for (let at = 0; at < lines.length;) {
    const block = blockAt(lines, at, depth);
    html += block.html;
    at = block.end;
  }
  return html;
}

interface Block {
  readonly html: string;
  readonly end: number;
}

function blockAt(lines: readonly string[], at: number, depth: number): Block {
  const line = lines[at]!;
  if (line.trim() === "") return { html: "", end: at + 1 };
  const [, marks] = fenceMark.exec(line) ?? [];
  if (marks !== undefined) return fenced(lines, at, marks);
  const [, hashes, heading] = headingMark.exec(line) ?? [];
  // The page itself has the first two.
  if (hashes !== undefined) {
    const level = Math.min(6, hashes.length + 2);
    return { html: `<h${level} dir="auto">${inlineHtml(heading!)}</h${level}>\n`, end: at + 1 };
  }
  if (ruleMark.test(line) && line.replaceAll(" ", "").length >= 3) return { html: "<hr>\n", end: at + 1 };
  if (depth < deepest && quoteMark.test(line)) return quoted(lines, at, depth);
  if (depth < deepest && itemMark.test(line)) return listed(lines, at, depth);
  if (isTable(lines, at)) return table(lines, at);
  return paragraph(lines, at, depth);
}

function fenced(lines: readonly string[], at: number, marks: string): Block {
  let end = at + 1;
  const closes = (line: string) => line.trim().length >= marks.length && line.trim().replaceAll(marks[0]!, "") === "";
  while (end < lines.length && !closes(lines[end]!)) end++;
  return { html: `<pre><code>${escapeHtml(lines.slice(at + 1, end).join("\n"))}</code></pre>\n`, end: end + 1 };
}

function quoted(lines: readonly string[], at: number, depth: number): Block {
  let end = at;
  while (end < lines.length && quoteMark.test(lines[end]!)) end++;
  const inside = lines.slice(at, end).map((line) => line.replace(quoteMark, ""));
  return { html: `<blockquote>${blocks(inside, depth + 1)}</blockquote>\n`, end };
}

function listed(lines: readonly string[], at: number, depth: number): Block {
  const [, indent = "", first = ""] = itemMark.exec(lines[at]!)!;
  const ordered = /\d/.test(first);
  let html = "";
  let end = at;
  for (;;) {
    const [mark, within, sign = ""] = itemMark.exec(lines[end] ?? "") ?? [];
    if (mark === undefined || within!.length !== indent.length || /\d/.test(sign) !== ordered) break;
    const inside = [lines[end]!.slice(mark.length)];
    for (end++; end < lines.length && belongs(lines, end, indent.length); end++)
      inside.push(lines[end]!.replace(/^ +/, (spaces) => spaces.slice(mark.length)));
    html += `<li dir="auto">${tight(blocks(inside, depth + 1))}</li>\n`;
  }
  return { html: ordered ? `<ol start="${Number.parseInt(first, 10)}">${html}</ol>\n` : `<ul>${html}</ul>\n`, end };
}

/** Whether a line goes on with the item before it: it is further in, or an empty one before such a line. */
function belongs(lines: readonly string[], at: number, indent: number): boolean {
  const line = lines[at]!.trim() === "" ? (lines[at + 1] ?? "") : lines[at]!;
  return line.trim() !== "" && /^ */.exec(line)![0].length > indent;
}

/** An item that is one paragraph, with or without a list in it, stands without its own. */
function tight(html: string): string {
  const open = '<p dir="auto">';
  if (!html.startsWith(open) || html.includes("<p ", 1)) return html;
  return html.slice(open.length).replace("</p>\n", "");
}

function isTable(lines: readonly string[], at: number): boolean {
  const next = lines[at + 1] ?? "";
  return lines[at]!.includes("|") && next.includes("|") && next.includes("-") && tableMark.test(next);
}

function table(lines: readonly string[], at: number): Block {
  let end = at + 2;
  while (end < lines.length && lines[end]!.includes("|")) end++;
  const row = (line: string, tag: "td" | "th") =>
    `<tr>${cells(line)
      .map((cell) => `<${tag} dir="auto">${inlineHtml(cell)}</${tag}>`)
      .join("")}</tr>\n`;
  const body = lines.slice(at + 2, end).map((line) => row(line, "td"));
  return {
    html: `<div class="wide"><table><thead>${row(lines[at]!, "th")}</thead><tbody>${body.join("")}</tbody></table></div>\n`,
    end,
  };
}

function cells(line: string): string[] {
  const plain = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return plain.split(/(?<!\\)\|/).map((cell) => cell.replaceAll("\\|", "|").trim());
}

function paragraph(lines: readonly string[], at: number, depth: number): Block {
  let end = at + 1;
  while (end < lines.length && goesOn(lines, end, depth)) end++;
  return { html: `<p dir="auto">${inlineHtml(lines.slice(at, end).join("\n").trim())}</p>\n`, end };
}

function goesOn(lines: readonly string[], at: number, depth: number): boolean {
  const line = lines[at]!;
  if (line.trim() === "" || fenceMark.test(line) || headingMark.test(line)) return false;
  return depth >= deepest || !(quoteMark.test(line) || itemMark.test(line) || isTable(lines, at));
}
