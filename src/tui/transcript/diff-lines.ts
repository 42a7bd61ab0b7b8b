/** Diffs as lines: unified, or side by side on a wide screen. */
import { diffWordsWithSpace } from "diff";
import { count } from "../../view/labels.ts";
import { sideBySide, type DiffRow, type DiffSide } from "../../view/side-by-side.ts";
import type { Line } from "../line.ts";
import type { Style } from "../theme.ts";
import { expandTabs, fillStyled, rowsOf } from "../wrap.ts";
import { shownLine, type Look } from "./block.ts";

const splitFrom = 120;
const numbersFrom = 40;
const mostRows = 200;
/** A longer diff is not parsed; the search for changed words is quadratic in the edits. */
const longestDiff = 1_000_000;
const longestWords = 500;
const mostEdits = 100;
/** Changed rows after these have no marked words: marking 10,000 rows takes half a second. */
const mostMarked = 1_000;

/** `taken`: columns used before the diff. */
export function diffLines(diff: string, look: Look, taken = 0): Line[] {
  const cut = diff.length > longestDiff;
  const rows = sideBySide(cut ? diff.slice(0, diff.lastIndexOf("\n", longestDiff) + 1) : diff);
  const shown = look.expandAll ? rows : rows.slice(0, mostRows);
  const width = look.width - taken;
  const lines = look.width >= splitFrom ? splitLines(shown, look, width) : unifiedLines(shown, look);
  const more = rows.length - shown.length;
  if (more > 0) lines.push(note(`… ${count(more, "more line")}`, look));
  if (cut) lines.push(note("… the rest of this diff is too long to show", look));
  return lines;
}

function note(text: string, { theme }: Look): Line {
  return { text: theme.dim(text), source: "", wrap: "cut" };
}

const digitsOf = (rows: readonly DiffRow[]): number =>
  rows.reduce((most, row) => {
    if (row.kind === "gap" || row.kind === "note") return most;
    return Math.max(most, String(row.left?.number ?? 0).length, String(row.right?.number ?? 0).length);
  }, 1);

type Changed = Extract<DiffRow, { kind: "changed" }>;

function unifiedLines(rows: readonly DiffRow[], look: Look): Line[] {
  const { theme } = look;
  const digits = digitsOf(rows);
  const lines: Line[] = [];
  const add = (side: DiffSide, sign: string, text: () => string, style: Style): void => {
    const number = look.width < numbersFrom ? "" : theme.dim(`${String(side.number).padStart(digits)} `);
    const styled = once(() => style(text()));
    lines.push({
      ...{ source: side.text, wrap: "soft", prefix: `${number}${style(`${sign} `)}` },
      get text() {
        return styled();
      },
    });
  };
  let changed: Changed[] = [];
  let marked = 0;
  const settle = (): void => {
    const pairs = changed.map((row) => {
      const isMarked = marked++ < mostMarked;
      return [row, once(() => changedWords(row, look, isMarked))] as const;
    });
    for (const [{ left }, words] of pairs) if (left !== undefined) add(left, "-", () => words().left, theme.removed);
    for (const [{ right }, words] of pairs) if (right !== undefined) add(right, "+", () => words().right, theme.added);
    changed = [];
  };
  for (const row of rows) {
    if (row.kind === "changed") {
      changed.push(row);
      continue;
    }
    settle();
    if (row.kind === "same")
      add(
        row.right,
        " ",
        () => shownLine(row.right.text, look),
        (text) => text,
      );
    else lines.push(note(row.kind === "gap" ? `⋯ ${row.text}` : row.text, look));
  }
  settle();
  return lines;
}

function splitLines(rows: readonly DiffRow[], look: Look, width: number): Line[] {
  const { theme } = look;
  const digits = digitsOf(rows);
  const edge = theme.border(" │ ");
  const cell = Math.floor((width - 3) / 2);
  const room = cell - digits - 1;
  const side = (of: DiffSide | undefined, text: string, style: Style): string[] => {
    if (of === undefined) return [" ".repeat(cell)];
    return rowsOf({ text, wrap: "soft" }, room).map((row, at) => {
      const number = at === 0 ? String(of.number).padStart(digits) : " ".repeat(digits);
      return `${theme.dim(number)} ${style(fillStyled(row.text, room))}`;
    });
  };
  let marked = 0;
  return rows.map((row): Line => {
    if (row.kind === "gap" || row.kind === "note") return note(row.kind === "gap" ? `⋯ ${row.text}` : row.text, look);
    const plain: Style = (text) => text;
    const same = row.kind === "same";
    const isMarked = !same && marked++ < mostMarked;
    return splitLine((row.right ?? row.left)?.text ?? "", () => {
      const words = same
        ? { left: shownLine(row.left.text, look), right: shownLine(row.right.text, look) }
        : changedWords(row, look, isMarked);
      const left = side(row.left, words.left, same ? plain : theme.removed);
      const right = side(row.right, words.right, same ? plain : theme.added);
      return Array.from(
        { length: Math.max(left.length, right.length) },
        (_, at) => `${left[at] ?? " ".repeat(cell)}${edge}${right[at] ?? ""}`,
      );
    });
  });
}

/** Lines of a long diff are styled and laid out on first use. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** A row of both sides, laid out on first use. */
function splitLine(source: string, lay: () => readonly string[]): Line {
  const laid = once(lay);
  return {
    ...{ wrap: "cut", source },
    get laid() {
      return laid();
    },
    get text() {
      return laid()[0]!;
    },
  };
}

interface ShownPair {
  readonly left: string;
  readonly right: string;
}

/** Both texts with the changed words marked; no marks when the lines have little in common. */
function changedWords({ left, right }: Changed, look: Look, isMarked: boolean): ShownPair {
  const { theme } = look;
  const plain = { left: shownLine(left?.text ?? "", look), right: shownLine(right?.text ?? "", look) };
  if (!isMarked || left === undefined || right === undefined) return plain;
  if (left.text.length > longestWords || right.text.length > longestWords) return plain;
  const parts = diffWordsWithSpace(expandTabs(left.text), expandTabs(right.text), { maxEditLength: mostEdits });
  if (parts === undefined) return plain;
  const common = parts.reduce((sum, part) => sum + (part.added || part.removed ? 0 : part.value.trim().length), 0);
  if (common * 3 < Math.max(left.text.trim().length, right.text.trim().length)) return plain;
  let [before, after] = ["", ""];
  for (const { added, removed, value } of parts) {
    if (!added) before += removed ? theme.removedWord(value) : value;
    if (!removed) after += added ? theme.addedWord(value) : value;
  }
  return { left: before, right: after };
}
