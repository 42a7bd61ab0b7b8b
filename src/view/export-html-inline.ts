/** What Markdown marks within a paragraph. Every search is bounded, so that no text, however made, takes long. */
import { escapeHtml, linkHtml, safeAddress } from "./export-html-text.ts";

/** What begins and ends further apart than this is no mark. */
const reach = 2000;
/** A longer text is no paragraph that anybody wrote. */
const longest = 100_000;
const deepest = 4;
const special = /[\\`*_~[]|https?:\/\//g;
const escapable = /[!-/:-@[-`{-~]/;

interface Found {
  readonly html: string;
  /** Where the text goes on. */
  readonly end: number;
}

export function inlineHtml(text: string, depth = 0): string {
  if (text.length > longest) return escapeHtml(text);
  let html = "";
  let from = 0;
  while (from < text.length) {
    special.lastIndex = from;
    const at = special.exec(text)?.index ?? text.length;
    html += escapeHtml(text.slice(from, at));
    if (at === text.length) break;
    const found = markAt(text, at, depth);
    // A run of the same letter that means nothing is passed as a whole: `_____`.
    const end = found?.end ?? runEnd(text, at);
    html += found?.html ?? escapeHtml(text.slice(at, end));
    from = end;
  }
  return html;
}

function markAt(text: string, at: number, depth: number): Found | undefined {
  switch (text[at]) {
    case "\\":
      return escapable.test(text[at + 1] ?? "")
        ? { html: escapeHtml(text.slice(at + 1, at + 2)), end: at + 2 }
        : undefined;
    case "`":
      return codeAt(text, at);
    case "[":
      return linkAt(text, at, depth);
    case "h":
      return addressAt(text, at);
    default:
      return depth < deepest ? emphasisAt(text, at, depth) : undefined;
  }
}

function codeAt(text: string, at: number): Found | undefined {
  const marks = text.slice(at, runEnd(text, at));
  const begin = at + marks.length;
  const window = text.slice(begin, begin + reach);
  let close = window.indexOf(marks);
  while (close !== -1 && runEnd(window, close) !== close + marks.length)
    close = window.indexOf(marks, runEnd(window, close));
  if (close === -1) return undefined;
  const inside = window.slice(0, close);
  const plain = /^ .* $/s.test(inside) && inside.trim() !== "" ? inside.slice(1, -1) : inside;
  return { html: `<code>${escapeHtml(plain)}</code>`, end: begin + close + marks.length };
}

function emphasisAt(text: string, at: number, depth: number): Found | undefined {
  const letter = text[at]!;
  const length = runEnd(text, at) - at;
  if (length > 3 || (letter === "~" && length !== 2)) return undefined;
  // Within a word an underscore is a part of it: `snake_case`.
  if (letter === "_" && /\w/.test(text[at - 1] ?? "")) return undefined;
  const begin = at + length;
  if (/\s|^$/.test(text[begin] ?? "")) return undefined;
  const marks = letter.repeat(length);
  const window = text.slice(begin, begin + reach);
  const close = window.indexOf(marks, 1);
  if (close === -1 || /\s/.test(window[close - 1]!)) return undefined;
  if (letter === "_" && /\w/.test(window[close + length] ?? "")) return undefined;
  const inside = inlineHtml(window.slice(0, close), depth + 1);
  const strong = length > 1 ? `<strong>${inside}</strong>` : inside;
  const html = letter === "~" ? `<del>${inside}</del>` : length === 2 ? strong : `<em>${strong}</em>`;
  return { html, end: begin + close + length };
}

function linkAt(text: string, at: number, depth: number): Found | undefined {
  const window = text.slice(at, at + reach);
  const middle = window.indexOf("](");
  const end = middle === -1 ? -1 : window.indexOf(")", middle);
  if (end === -1 || window.slice(0, middle).includes("\n")) return undefined;
  const label = inlineHtml(window.slice(1, middle), deepest);
  const target = window.slice(middle + 2, end).split(/\s/, 1)[0]!;
  const address = safeAddress(target);
  const elsewhere = target === "" ? "" : ` <span class="quiet">(${escapeHtml(target)})</span>`;
  if (depth >= deepest || address === undefined) return { html: label + elsewhere, end: at + end + 1 };
  return { html: linkHtml(address, label), end: at + end + 1 };
}

function addressAt(text: string, at: number): Found | undefined {
  const [found = ""] = /^[^\s<>"'`)\]*]+/.exec(text.slice(at, at + reach)) ?? [];
  const address = safeAddress(found.replace(/[.,;:!?]+$/, ""));
  return address === undefined ? undefined : { html: linkHtml(address, escapeHtml(address)), end: at + address.length };
}

function runEnd(text: string, at: number): number {
  let end = at + 1;
  while (text[end] === text[at]) end++;
  return end;
}
