/** Boundaries and widths of user-perceived characters (grapheme clusters) in text with paste marks. */
import { columnsOf, graphemes } from "../../events/columns.ts";

/** A folded paste. It takes one code unit of the text, at `at`, and is moved and deleted as one character. */
export interface Mark {
  readonly at: number;
  readonly paste: Paste;
}

export interface Paste {
  /** Counts from 1 in each prompt. */
  readonly id: number;
  /** Byte for byte as it was pasted. */
  readonly text: string;
  readonly lines: number;
}

/** Text with paste marks, sorted by position. Only `marks` decides what is a mark: the same character can also be typed. */
export interface Fragment {
  readonly text: string;
  readonly marks: readonly Mark[];
}

/** Ranges of code units that always have a boundary between them: letters that never combine. */
const plainRanges: readonly (readonly [number, number])[] = [
  [0x20, 0x7e],
  [0xc0, 0x2af],
  [0x391, 0x481],
  [0x48a, 0x52f],
  [0x5d0, 0x5ea],
  [0xe01, 0xe30],
  [0x3041, 0x3096],
  [0x30a1, 0x30fa],
  [0x3400, 0x9fff],
  [0xac00, 0xd7a3],
];

function isPlain(code: number): boolean {
  if (code < 0x7f) return code >= 0x20;
  return plainRanges.some(([first, last]) => code >= first && code <= last);
}

/** Returns whether there is a boundary for certain, without looking at the rest of the text. */
function isCertain({ text, marks }: Fragment, at: number): boolean {
  if (at <= 0 || at >= text.length) return true;
  if (isPlain(text.charCodeAt(at - 1)) && isPlain(text.charCodeAt(at))) return true;
  return isMark(marks, at) || isMark(marks, at - 1);
}

/** Index of the first mark at or after an offset. */
function markIndex(marks: readonly Mark[], at: number): number {
  let low = 0;
  let high = marks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((marks[middle] as Mark).at < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function markAt(marks: readonly Mark[], at: number): Mark | undefined {
  const mark = marks[markIndex(marks, at)];
  return mark?.at === at ? mark : undefined;
}

function isMark(marks: readonly Mark[], at: number): boolean {
  return marks.length > 0 && markAt(marks, at) !== undefined;
}

/** Offset of the next mark, or the end of the text. */
function nextMark({ text, marks }: Fragment, at: number): number {
  return marks[markIndex(marks, at)]?.at ?? text.length;
}

/** The end of the character that begins at a boundary. */
export function after(doc: Fragment, at: number): number {
  const { text } = doc;
  if (at >= text.length) return text.length;
  if (isCertain(doc, at + 1)) return at + 1;
  const end = nextMark(doc, at);
  // A segmenter copies its text, so pass only as much as a character usually needs.
  for (let room = 64; ; room *= 16) {
    const part = text.slice(at, Math.min(end, at + room));
    const [first] = graphemes(part);
    const length = first?.segment.length ?? 1;
    if (length < part.length || at + part.length >= end) return at + length;
  }
}

/** The start of the character that ends at a boundary. */
export function before(doc: Fragment, at: number): number {
  if (at <= 0) return 0;
  let start = at - 1;
  while (!isCertain(doc, start)) start--;
  if (start === at - 1) return start;
  let last = start;
  for (const { index } of graphemes(doc.text.slice(start, at))) last = start + index;
  return last;
}

/** The first boundary at or after an offset. */
export function boundary(doc: Fragment, at: number): number {
  const end = Math.max(0, Math.min(at, doc.text.length));
  let start = end;
  while (!isCertain(doc, start)) start--;
  while (start < end) start = after(doc, start);
  return start;
}

/** The last boundary at or before an offset. */
export function boundaryBefore(doc: Fragment, at: number): number {
  const next = boundary(doc, at);
  return next > at ? before(doc, next) : next;
}

/**
 * Columns of one character. Counting its parts would be wrong for composed letters such as Hangul jamo, and would count a joiner that
 * joins nothing as one column.
 */
export function graphemeColumns(grapheme: string): number {
  if (grapheme.length === 1) return columnsOf(grapheme);
  return Math.min(2, columnsOf(grapheme.replace(/(?<!^)[\u200c\u200d]+$/, "")));
}
