/** Breaks lines into rows, by terminal columns, in linear time. */
import { columnsOf, graphemes, oneColumnEach } from "../events/columns.ts";
import type { Line, Row } from "./line.ts";

const sgr = /\x1b\[([\d;]*)m/g;
const wide = /[\u1100-\u{10ffff}]/u;

/** Text without its style. */
export function plain(styled: string): string {
  return styled.includes("\x1b") ? styled.replace(sgr, "") : styled;
}

/** The text that a line gives to the clipboard. */
export function copyText(line: Line): string {
  return line.source ?? plain(line.text);
}

export function styledColumns(styled: string): number {
  const text = plain(styled);
  if (oneColumnEach.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of graphemes(text)) columns += columnsOf(segment);
  return columns;
}

/** The start of a text that fits into the columns, with its style closed. */
export function cutStyled(styled: string, width: number): string {
  if (styled.length <= width && oneColumnEach.test(styled)) return styled;
  const text = new StyledText(styled);
  if (oneColumnEach.test(text.plain)) return text.piece(0, Math.min(width, text.plain.length));
  let used = 0;
  let end = 0;
  for (const { index, segment } of graphemes(text.plain)) {
    used += columnsOf(segment);
    if (used > width) return text.piece(0, end);
    end = index + segment.length;
  }
  return text.piece(0, end);
}

/** Styled text, padded or cut to exactly `width` columns. */
export function fillStyled(styled: string, width: number): string {
  const columns = styledColumns(styled);
  if (columns <= width) return styled + " ".repeat(width - columns);
  const cut = width < 2 ? cutStyled(styled, width) : `${cutStyled(styled, width - 1)}…`;
  return cut + " ".repeat(Math.max(0, width - styledColumns(cut)));
}

interface Wrapped {
  readonly width: number;
  readonly rows: readonly Row[];
}

const known = new WeakMap<Line, Wrapped>();

/** The rows of a line on a screen of this width; the same array while the width stays. */
export function rowsOf(line: Line, width: number): readonly Row[] {
  const before = known.get(line);
  if (before?.width === width) return before.rows;
  const rows = wrapped(line, Math.max(1, width));
  known.set(line, { width, rows });
  return rows;
}

function wrapped(line: Line, width: number): Row[] {
  const { text, prefix = "", wrap = "word", laid } = line;
  const most = Math.max(Math.floor(width / 2), width - 20);
  const taken = Math.min(most, styledColumns(prefix));
  const indent = line.indent ?? " ".repeat(taken);
  const first = cutStyled(prefix, taken);
  const next = cutStyled(indent, taken);
  const source = copyText(line);
  const room = width - taken;
  if (laid !== undefined && laid.length > 0)
    return laid.map((row, at) => ({
      text: (at === 0 ? first : next) + fitted(row, room),
      line,
      from: at === 0 ? 0 : source.length,
      to: source.length,
    }));
  if (wrap === "cut") return [{ text: first + fitted(text, room), line, from: 0, to: source.length }];
  const styled = new StyledText(text);
  const ends = wrap === "soft" ? softBreaks(styled.plain, room) : wordBreaks(styled.plain, room);
  const copied = copyOffsets(
    styled.plain,
    source,
    ends.map(({ next }) => next),
  );
  let from = 0;
  let copiedTo = 0;
  return ends.map(({ end, next: start, hidden }, at) => {
    const part = hidden === true ? "?" : styled.piece(from, end);
    const before = at === 0 ? first : next;
    const row = { text: part === "" ? before.trimEnd() : before + part, line, from: copiedTo, to: copied[at]! };
    from = start;
    copiedTo = copied[at]!;
    return row;
  });
}

function fitted(text: string, width: number): string {
  if (styledColumns(text) <= width) return text;
  return width < 2 ? cutStyled(text, width) : `${cutStyled(text, width - 1)}…`;
}

interface Break {
  /** End of the row in the plain text, and start of the next one. */
  readonly end: number;
  readonly next: number;
  /** The only character of this row is wider than the screen. */
  readonly hidden?: boolean;
}

function softBreaks(text: string, width: number): Break[] {
  const breaks: Break[] = [];
  if (oneColumnEach.test(text)) {
    for (let at = width; at < text.length; at += width) breaks.push({ end: at, next: at });
    return [...breaks, { end: text.length, next: text.length }];
  }
  let used = 0;
  let from = 0;
  for (const { index, segment } of graphemes(text)) {
    const columns = columnsOf(segment);
    if (used + columns > width && index > from) {
      breaks.push({ end: index, next: index, hidden: used > width });
      from = index;
      used = 0;
    }
    used += columns;
  }
  breaks.push({ end: text.length, next: text.length, hidden: used > width });
  return breaks;
}

/** Breaks between words, and between wide characters, which have no blanks. A word longer than a row breaks anywhere. */
function wordBreaks(text: string, width: number): Break[] {
  const breaks: Break[] = [];
  let from = 0;
  let used = 0;
  /** The last place where the row may end, and the columns used up to where the next row would begin. */
  let end = 0;
  let next = 0;
  let upTo = 0;
  /** The visible columns of a row that ends there. */
  let shown = 0;
  let blank = false;
  const take = (index: number, segment: string, columns: number): void => {
    const isBlank = segment === " ";
    const isWide = columns > 1 && wide.test(segment);
    if (isWide && !blank && index > from) [end, next, upTo, shown] = [index, index, used, used];
    if (!isBlank && used + columns > width && index > from) {
      if (next > from) {
        breaks.push({ end, next, hidden: shown > width });
        used -= upTo;
        from = next;
      }
      // The rest after the break may be too long as well.
      if (used + columns > width && index > from) {
        breaks.push({ end: index, next: index, hidden: used > width });
        from = index;
        used = 0;
      }
      [end, next, upTo, shown] = [from, from, 0, 0];
    }
    if (isBlank && !blank) [end, shown] = [index, used];
    used += columns;
    if (isBlank || isWide) {
      next = index + segment.length;
      upTo = used;
      if (!isBlank) [end, shown] = [next, used];
    }
    blank = isBlank;
  };
  if (oneColumnEach.test(text)) for (let at = 0; at < text.length; at++) take(at, text[at]!, 1);
  else for (const { index, segment } of graphemes(text)) take(index, segment, columnsOf(segment));
  // Blanks at the end of the line may exceed the edge.
  if (used > width && blank) breaks.push({ end: Math.max(from, end), next: text.length, hidden: shown > width });
  else breaks.push({ end: text.length, next: text.length, hidden: used > width });
  return breaks;
}

/**
 * Maps places in the shown text to places in the copied text. They differ by tabs, which are shown as blanks, and by omitted characters.
 */
function copyOffsets(shown: string, source: string, places: readonly number[]): number[] {
  if (shown === source) return [...places];
  let from = 0;
  let to = 0;
  const offsets = places.map((place) => {
    for (; from < place; from++) {
      if (source[to] === shown[from]) to++;
      else if (source[to] === "\t" && (shown[from + 1] !== " " || (from + 1) % tabColumns === 0)) to++;
    }
    return Math.min(to, source.length);
  });
  offsets[offsets.length - 1] = source.length;
  return offsets;
}

const tabColumns = 4;

/** Replaces tabs with blanks: a tab has no fixed width in a row. */
export function expandTabs(text: string): string {
  if (!text.includes("\t")) return text;
  const [first = "", ...rest] = text.split("\t");
  let expanded = first;
  let column = columnsOf(first);
  for (const part of rest) {
    const blanks = tabColumns - (column % tabColumns);
    expanded += " ".repeat(blanks) + part;
    column += blanks + columnsOf(part);
  }
  return expanded;
}

/** Plain text, and the style that applies from each place on. */
class StyledText {
  readonly plain: string;
  /** Places in the plain text where the style changes, in order. */
  readonly #changes: { readonly at: number; readonly open: string }[] = [];

  constructor(styled: string) {
    if (!styled.includes("\x1b")) {
      this.plain = styled;
      return;
    }
    let text = "";
    let from = 0;
    const state = new StyleState();
    for (const match of styled.matchAll(sgr)) {
      text += styled.slice(from, match.index);
      from = match.index + match[0].length;
      state.apply(match[1]!);
      this.#changes.push({ at: text.length, open: state.open });
    }
    this.plain = text + styled.slice(from);
  }

  /** A part of the text with its style opened and closed. */
  piece(from: number, to: number): string {
    const changes = this.#changes;
    if (changes.length === 0) return this.plain.slice(from, to);
    let index = this.#before(from);
    let open = index === -1 ? "" : changes[index]!.open;
    let text = "";
    let at = from;
    const add = (until: number): void => {
      if (until > at)
        text += open === "" ? this.plain.slice(at, until) : `${open}${this.plain.slice(at, until)}\x1b[0m`;
      at = Math.max(at, until);
    };
    for (index++; index < changes.length && changes[index]!.at < to; index++) {
      add(changes[index]!.at);
      open = changes[index]!.open;
    }
    add(to);
    return text;
  }

  /** The last change at or before a place. */
  #before(place: number): number {
    let low = 0;
    let high = this.#changes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#changes[middle]!.at <= place) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

const offCodes: Readonly<Record<string, readonly string[]>> = {
  "22": ["1", "2"],
  "23": ["3"],
  "24": ["4"],
  "27": ["7"],
  "29": ["9"],
};

/** The current style, as the one sequence that turns it on. */
class StyleState {
  readonly #on = new Set<string>();
  #text = "";
  #back = "";

  get open(): string {
    const codes = [...this.#on, this.#text, this.#back].filter((code) => code !== "").join(";");
    return codes === "" ? "" : `\x1b[${codes}m`;
  }

  apply(parameters: string): void {
    const codes = parameters.split(";");
    for (let at = 0; at < codes.length; at++) {
      const code = codes[at]!;
      const number = Number(code);
      if (number === 38 || number === 48) {
        const length = codes[at + 1] === "2" ? 5 : 3;
        const colour = codes.slice(at, at + length).join(";");
        if (number === 38) this.#text = colour;
        else this.#back = colour;
        at += length - 1;
      } else if (number === 0) this.#clear();
      else if (offCodes[code] !== undefined) for (const off of offCodes[code]) this.#on.delete(off);
      else if (number === 39) this.#text = "";
      else if (number === 49) this.#back = "";
      else if ((number >= 30 && number < 38) || (number >= 90 && number < 98)) this.#text = code;
      else if ((number >= 40 && number < 48) || (number >= 100 && number < 108)) this.#back = code;
      else this.#on.add(code);
    }
  }

  #clear(): void {
    this.#on.clear();
    this.#text = "";
    this.#back = "";
  }
}
