/** Pickers, input fields, confirmations and pages, drawn over the conversation. */
import { keyName, type Key } from "../key.ts";
import type { Line } from "../line.ts";
import type { Theme } from "../theme.ts";
import { editKey, editorLines, editorText, emptyEditor, fuzzyTop, type EditorState } from "../editor/index.ts";
import { cutStyled, fillStyled, rowsOf, styledColumns } from "../wrap.ts";

/** The columns that labels may take in a list where there are details beside them. */
const widestLabel = (width: number): number => Math.max(24, Math.floor(width * 0.6));

export interface PickerItem {
  readonly id: string;
  readonly label: string;
  /** Dim text after the label. */
  readonly detail?: string | undefined;
  /** A styled mark before the label. */
  readonly mark?: string | undefined;
  /** Why the item cannot be chosen. */
  readonly disabled?: string | undefined;
}

/** A key of a picker besides Enter, such as `d` for "disable". With Ctrl in a list that can be filtered. */
export interface PickerKey {
  readonly key: string;
  readonly label: string;
  readonly run: (item: PickerItem) => void;
}

export interface Picker {
  readonly kind: "picker";
  readonly title: string;
  readonly items: readonly PickerItem[];
  /** True while the items are loading. */
  readonly loading: boolean;
  readonly query: EditorState;
  readonly chosen: number;
  readonly keys: readonly PickerKey[];
  readonly accept: (item: PickerItem) => void;
  readonly hint?: string | undefined;
  /** Shown when there are no items at all. */
  readonly empty?: string | undefined;
  /** Ctrl+S searches for the typed text. */
  readonly search?: ((words: string) => void) | undefined;
}

export interface TextField {
  readonly kind: "text";
  readonly title: string;
  readonly note?: string | undefined;
  readonly editor: EditorState;
  /** Shown as dots. */
  readonly secret: boolean;
  readonly accept: (text: string) => void;
}

export interface Confirm {
  readonly kind: "confirm";
  readonly title: string;
  readonly lines: readonly Line[];
  /** The first visible row. Default: 0. */
  readonly top?: number | undefined;
  readonly yes: string;
  readonly accept: () => void;
  /** True right after the overlay opened by itself: a key that was meant for the prompt must not answer it. */
  readonly waits?: boolean | undefined;
}

export interface Pager {
  readonly kind: "pager";
  readonly title: string;
  readonly lines: readonly Line[];
  readonly top: number;
}

export type Overlay = Picker | TextField | Confirm | Pager;

export function picker(
  title: string,
  items: readonly PickerItem[],
  accept: Picker["accept"],
  more: Partial<Pick<Picker, "keys" | "hint" | "chosen" | "loading" | "empty" | "search">> = {},
): Picker {
  return { kind: "picker", title, items, accept, loading: false, query: emptyEditor, chosen: 0, keys: [], ...more };
}

export function textField(
  title: string,
  accept: TextField["accept"],
  more: Partial<Pick<TextField, "note" | "editor" | "secret">> = {},
): TextField {
  return { kind: "text", title, accept, editor: emptyEditor, secret: false, ...more };
}

/** The items that match the typed text, best first. */
export function shownItems({ items, query }: Picker): readonly PickerItem[] {
  const typed = editorText(query).trim();
  if (typed === "") return items;
  // Two items may have the same text, such as a session and its fork.
  const byText = Map.groupBy(items, (item) => `${item.label} ${item.detail ?? ""}`);
  return fuzzyTop([...byText.keys()], typed, items.length).flatMap(({ text }) => byText.get(text)!);
}

/** `undefined` closes the overlay. */
export type OverlayChange = { readonly overlay: Overlay | undefined; readonly run?: () => void };

export function overlayKey(overlay: Overlay, key: Key, pageRows: number): OverlayChange {
  const name = keyName(key);
  if (name === "escape" || name === "ctrl+c") return { overlay: undefined };
  switch (overlay.kind) {
    case "picker":
      return pickerKey(overlay, key, name, pageRows);
    case "text":
      return textKey(overlay, key, name);
    case "confirm":
      if (overlay.waits === true) return { overlay };
      if (name === "enter" || name === "y") return { overlay: undefined, run: overlay.accept };
      if (name === "n" || name === "q") return { overlay: undefined };
      return { overlay: { ...overlay, top: scrolledTop(overlay.top, name, pageRows) } };
    case "pager":
      if (name === "q" || name === "enter") return { overlay: undefined };
      return { overlay: { ...overlay, top: scrolledTop(overlay.top, name, pageRows) } };
  }
}

function pickerKey(overlay: Picker, key: Key, name: string, pageRows: number): OverlayChange {
  const items = shownItems(overlay);
  const item = items[overlay.chosen];
  const steps: Readonly<Record<string, number>> = {
    ...{ up: -1, down: 1, "ctrl+p": -1, "ctrl+n": 1, "shift+tab": -1, tab: 1 },
    ...{ pageup: -pageRows, pagedown: pageRows, home: -items.length, end: items.length },
  };
  const step = steps[name];
  if (step !== undefined) {
    const wraps = Math.abs(step) === 1 && items.length > 0;
    const next = overlay.chosen + step;
    const chosen = wraps ? (next + items.length) % items.length : Math.min(Math.max(0, next), items.length - 1);
    return { overlay: { ...overlay, chosen: Math.max(0, chosen) } };
  }
  if (name === "enter") {
    if (item === undefined || item.disabled !== undefined) return { overlay };
    return { overlay: undefined, run: () => overlay.accept(item) };
  }
  if (name === "ctrl+s" && overlay.search !== undefined) {
    const { search, query } = overlay;
    return { overlay, run: () => search(editorText(query)) };
  }
  const own = overlay.keys.find((one) => name === `ctrl+${one.key}` || name === `alt+${one.key}`);
  if (own !== undefined) return item === undefined ? { overlay } : { overlay, run: () => own.run(item) };
  const { state } = editKey(overlay.query, key, { width: 80 });
  return { overlay: { ...overlay, query: state, chosen: state === overlay.query ? overlay.chosen : 0 } };
}

function textKey(overlay: TextField, key: Key, name: string): OverlayChange {
  if (name === "enter") return { overlay: undefined, run: () => overlay.accept(editorText(overlay.editor)) };
  return { overlay: { ...overlay, editor: editKey(overlay.editor, key, { width: 80 }).state } };
}

function scrolledTop(top = 0, name: string, pageRows: number): number {
  const steps: Readonly<Record<string, number>> = {
    ...{ up: -1, down: 1, k: -1, j: 1, pageup: -pageRows, pagedown: pageRows, space: pageRows },
    ...{ home: -Infinity, end: Infinity, g: -Infinity, G: Infinity },
  };
  return Math.max(0, Math.min(top + (steps[name] ?? 0), 1e9));
}

export interface DrawnOverlay {
  readonly rows: readonly string[];
  readonly cursor?: { readonly row: number; readonly column: number } | undefined;
}

/** Draws the overlay with its frame in at most `height` rows. */
export function drawOverlay(overlay: Overlay, width: number, height: number, theme: Theme): DrawnOverlay {
  const inner = Math.max(1, width - 4);
  const room = Math.max(1, height - 2);
  const content = contentOf(overlay, inner, room, theme);
  const rows = content.rows.slice(0, room);
  const framed = frame(overlay.title, rows, width, theme, content.foot);
  const { cursor } = content;
  const place =
    cursor === undefined || cursor.row >= room ? undefined : { row: cursor.row + 1, column: cursor.column + 2 };
  return { rows: framed.slice(0, height), cursor: place };
}

/** A box with a title in its upper border. When it is too narrow, only the content. */
export function frame(
  title: string,
  rows: readonly string[],
  width: number,
  theme: Theme,
  foot = "",
): readonly string[] {
  if (width < 8) return rows.map((row) => cutStyled(row, width));
  const inner = width - 4;
  const edge = (left: string, text: string, right: string): string => {
    const shown = text === "" ? "" : ` ${cutStyled(text, width - 6)} `;
    return (
      theme.border(`${left}─`) +
      shown +
      theme.border(`${"─".repeat(Math.max(0, width - 3 - styledColumns(shown)))}${right}`)
    );
  };
  const side = theme.border("│");
  const body = rows.map((row) => {
    const text = cutStyled(row, inner);
    return `${side} ${text}${" ".repeat(Math.max(0, inner - styledColumns(text)))} ${side}`;
  });
  return [edge("╭", theme.bold(title), "╮"), ...body, edge("╰", theme.dim(foot), "╯")];
}

interface Content extends DrawnOverlay {
  readonly foot: string;
}

function contentOf(overlay: Overlay, width: number, height: number, theme: Theme): Content {
  switch (overlay.kind) {
    case "picker":
      return pickerRows(overlay, width, height, theme);
    case "text": {
      const notes =
        overlay.note === undefined ? [] : rowsOf({ text: theme.dim(overlay.note) }, width).map(({ text }) => text);
      const { lines, cursor } = overlay.secret
        ? secretRow(overlay.editor)
        : editorLines(overlay.editor, width, { theme, prefix: "", maxRows: Math.max(1, height - notes.length) });
      const place = { row: cursor.row + notes.length, column: cursor.column };
      return { rows: [...notes, ...lines], cursor: place, foot: "Enter accepts · Esc closes" };
    }
    case "confirm": {
      const { rows, place } = scrolledRows(overlay, width, height);
      return { rows, foot: overlay.waits === true ? "" : `${place}y ${overlay.yes} · Esc cancels` };
    }
    case "pager": {
      const { rows, place } = scrolledRows(overlay, width, height);
      return { rows, foot: `${place || "↑↓ scroll · "}Esc closes` };
    }
  }
}

/** The visible rows, and their position when there are more. */
function scrolledRows(
  { lines, top: wanted = 0 }: Confirm | Pager,
  width: number,
  height: number,
): { readonly rows: readonly string[]; readonly place: string } {
  const rows = lines.flatMap((line) => rowsOf(line, width).map(({ text }) => text));
  if (rows.length <= height) return { rows, place: "" };
  const top = Math.max(0, Math.min(wanted, rows.length - height));
  const place = `${top + 1}-${Math.min(rows.length, top + height)} of ${rows.length} · ↑↓ scroll · `;
  return { rows: rows.slice(top, top + height), place };
}

function secretRow(
  editor: EditorState,
): DrawnOverlay & { readonly lines: readonly string[]; readonly cursor: { row: number; column: number } } {
  const dots = "•".repeat(editorText(editor).length);
  return { rows: [], lines: [dots], cursor: { row: 0, column: dots.length } };
}

function detailOf({ disabled, detail = "" }: PickerItem): string {
  return disabled ?? detail;
}

/** The details of all rows begin in the same column. It is the same while somebody filters; a longer label is cut. */
function pickerColumns(
  items: readonly PickerItem[],
  width: number,
): { readonly hasMarks: boolean; readonly label: number } {
  const labels = items.filter((item) => detailOf(item) !== "").map(({ label }) => styledColumns(label));
  return {
    hasMarks: items.some(({ mark }) => mark !== undefined),
    label: Math.min(Math.max(0, ...labels), widestLabel(width)),
  };
}

function pickerRows(overlay: Picker, width: number, height: number, theme: Theme): Content {
  const query = editorLines(overlay.query, width, { theme, prefix: "› ", placeholder: "Type to filter", maxRows: 1 });
  const items = shownItems(overlay);
  const room = Math.max(1, height - 1);
  const first = Math.max(0, Math.min(overlay.chosen - Math.floor(room / 2), items.length - room));
  const columns = pickerColumns(overlay.items, width);
  const rows = items.slice(first, first + room).map((item, at) => {
    const chosen = first + at === overlay.chosen;
    const mark = columns.hasMarks ? `${item.mark ?? " "} ` : "";
    const label = item.disabled === undefined ? item.label : theme.dim(item.label);
    const detail = detailOf(item);
    const text = detail === "" ? label : `${fillStyled(label, columns.label)}  ${theme.dim(detail)}`;
    const row = cutStyled(`${chosen ? theme.accent("❯ ") : "  "}${mark}${text}`, width);
    return chosen ? theme.bold(row) : row;
  });
  const none = overlay.items.length === 0 ? overlay.empty : undefined;
  const nothing = overlay.loading ? "Loading…" : (none ?? "Nothing matches.");
  const keys = overlay.keys.map(({ key, label }) => `Ctrl+${key.toUpperCase()} ${label}`);
  const search = overlay.search === undefined ? [] : ["Ctrl+S searches the text"];
  const enter = overlay.hint?.startsWith("Enter") === true ? undefined : "Enter selects";
  const place = items.length <= room ? undefined : `${first + 1}-${first + rows.length} of ${items.length}`;
  const hints = [place, overlay.hint, enter, ...keys, ...search, "Esc closes"].filter((hint) => hint !== undefined);
  const list = rows.length > 0 ? rows : [theme.dim(nothing)];
  return { rows: [...query.lines, ...list], cursor: query.cursor, foot: joinFitting(hints, width - 2) };
}

/** Joins as many hints as fit, starting with the first. */
function joinFitting(hints: readonly string[], width: number): string {
  const fits = hints.findLastIndex((_, last) => styledColumns(hints.slice(0, last + 1).join(" · ")) <= width);
  return hints.slice(0, Math.max(1, fits + 1)).join(" · ");
}
