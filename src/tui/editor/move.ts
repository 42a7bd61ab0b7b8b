/** Cursor movement by lines and words. */
import { after, before, boundary, boundaryBefore, markAt, type Fragment, type Mark } from "./graphemes.ts";

/** Start and end of the line around an offset, without its line break (LF, CR or CR LF). */
export function lineStart({ text }: Fragment, at: number): number {
  let start = at;
  while (start > 0 && !isBreak(text.charCodeAt(start - 1))) start--;
  return start;
}

export function lineEnd({ text }: Fragment, at: number): number {
  let end = at;
  while (end < text.length && !isBreak(text.charCodeAt(end))) end++;
  return end;
}

export function isBreak(code: number): boolean {
  return code === 10 || code === 13;
}

/** Kinds of characters that separate words. A mark is a word of its own. */
export type WordKind = "blank" | "word" | "other" | Mark;

const letter = /^[\p{L}\p{N}\p{M}_]/u;

export function kindAt({ text, marks }: Fragment, at: number): WordKind {
  const mark = markAt(marks, at);
  if (mark !== undefined) return mark;
  const code = text.codePointAt(at);
  if (code === undefined || code <= 32) return "blank";
  return letter.test(String.fromCodePoint(code)) ? "word" : "other";
}

/** The end of the next word (Alt+F): skips non-word characters, then the word. */
export function wordRight(doc: Fragment, from: number): number {
  const skipped = skipRight(doc, from, (kind) => kind === "blank" || kind === "other");
  return typeof kindAt(doc, skipped) === "object" ? skipped + 1 : skipRight(doc, skipped, (kind) => kind === "word");
}

/** The start of the previous word (Alt+B). */
export function wordLeft(doc: Fragment, from: number): number {
  const skipped = skipLeft(doc, from, (kind) => kind === "blank" || kind === "other");
  return typeof kindBefore(doc, skipped) === "object" ? skipped - 1 : skipLeft(doc, skipped, (kind) => kind === "word");
}

/** The start of the previous text between blanks (Ctrl+W). */
export function blankWordLeft(doc: Fragment, from: number): number {
  const skipped = skipLeft(doc, from, (kind) => kind === "blank");
  if (typeof kindBefore(doc, skipped) === "object") return skipped - 1;
  return skipLeft(doc, skipped, (kind) => kind === "word" || kind === "other");
}

export function skipRight(doc: Fragment, from: number, wanted: (kind: WordKind) => boolean): number {
  let at = from;
  while (at < doc.text.length && wanted(kindAt(doc, at))) at = after(doc, at);
  return boundary(doc, at);
}

function kindBefore(doc: Fragment, at: number): WordKind {
  return at <= 0 ? "blank" : kindAt(doc, before(doc, at));
}

export function skipLeft(doc: Fragment, from: number, wanted: (kind: WordKind) => boolean): number {
  let at = from;
  while (at > 0 && wanted(kindBefore(doc, at))) at = before(doc, at);
  return boundaryBefore(doc, at);
}
