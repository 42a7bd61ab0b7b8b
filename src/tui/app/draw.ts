/** Composes the parts of the screen. Pure: equal state and size give equal rows. */
import { answersTo } from "../../view/answer-keys.ts";
import { oneLine as printable } from "../../events/printable.ts";
import { editorLines, isEmpty, isOpen } from "../editor/index.ts";
import type { Line } from "../line.ts";
import type { Theme } from "../theme.ts";
import type { Look } from "../transcript/index.ts";
import { cutStyled, fillStyled, rowsOf, styledColumns } from "../wrap.ts";
import type { AppState } from "./state.ts";
import { drawOverlay } from "./overlay.ts";
import { drawQuestion } from "./question-form.ts";
import { repositoryBar, repositoryColumn } from "./repository-bar.ts";
import { permissionPanel } from "./request-panel.ts";
import { hasFacts, planLines, sessionFacts, sidebar, sidebarWidth } from "./sidebar.ts";
import { statusBar } from "./status-bar.ts";
import { countUnread, mostCounted, viewport, type Viewport } from "./viewport.ts";

export interface Cell {
  readonly row: number;
  readonly column: number;
}

export interface DrawnFrame {
  readonly rows: readonly string[];
  readonly cursor: Cell | undefined;
  /** Maps a clicked cell to its meaning. */
  readonly places: Places;
}

export interface Places {
  /** The conversation rows on the screen. */
  readonly conversation:
    | { readonly top: number; readonly left: number; readonly width: number; readonly shown: Viewport }
    | undefined;
  readonly repositoryAction: { readonly row: number; readonly from: number; readonly to: number } | undefined;
  readonly editor: { readonly top: number; readonly height: number } | undefined;
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

const leftColumns = 28;

/** The sidebar is shown from this many columns on. */
const narrowest = 100;

function isWide({ screen }: AppState, { columns }: Size): boolean {
  return columns >= narrowest && screen === "full";
}

function hasSidebar(state: AppState, size: Size): boolean {
  return state.showSidebar && isWide(state, size) && (hasFacts(state.sessions) || isBeside(state, size, "right"));
}

/** Returns whether the repository has a column of its own. A narrow screen shows it at the top instead. */
function isBeside(state: AppState, size: Size, side: "left" | "right"): boolean {
  const { shown, placement } = state.repository;
  return shown && placement === side && isWide(state, size) && (side === "left" || state.showSidebar);
}

/** Width of the left column, including its border. */
function leftWidth(state: AppState, size: Size): number {
  return isBeside(state, size, "left") ? leftColumns + 1 : 0;
}

function conversationWidth(state: AppState, size: Size): number {
  const side = hasSidebar(state, size) ? sidebarWidth + 2 : 0;
  return Math.max(1, size.columns - side - leftWidth(state, size));
}

export function lookOf(state: AppState, size: Size): Look {
  const { active } = state.sessions;
  return {
    width: conversationWidth(state, size),
    theme: state.theme,
    unfolded: active.unfolded,
    expandAll: active.expandAll,
    foldTurns: state.screen === "full",
    images: state.images.isOn ? (state.screen === "inline" ? "here" : "inline") : undefined,
    cwd: active.cwd,
    home: state.home,
    highlight: state.highlight,
  };
}

interface Part {
  readonly rows: readonly string[];
  readonly cursor?: Cell | undefined;
}

const nothing: Part = { rows: [] };

function textRows(lines: readonly Line[], width: number): string[] {
  return lines.flatMap((line) => rowsOf(line, width).map(({ text }) => text));
}

interface FirstRows {
  readonly rows: readonly string[];
  /** True when there are no further rows. */
  readonly isWhole: boolean;
}

const wrapped = new WeakMap<readonly Line[], FirstRows & { readonly width: number }>();

/** The first rows, at least `count`, of lines that stay the same from frame to frame. */
function firstRows(lines: readonly Line[], width: number, count: number): FirstRows {
  const known = wrapped.get(lines);
  if (known?.width === width && (known.isWhole || known.rows.length >= count)) return known;
  const rows: string[] = [];
  let at = 0;
  for (; at < lines.length && rows.length < count; at++) rows.push(...textRows([lines[at]!], width));
  const made = { width, rows, isWhole: at === lines.length };
  wrapped.set(lines, made);
  return made;
}

/** The pending request, cut to `room`: the question and the keys are always visible, the input scrolls. */
function requestPart(state: AppState, width: number, room: number): Part {
  const request = state.sessions.active.request;
  const { theme } = state;
  if (request === undefined || room < 1) return nothing;
  const rule = theme.border("─".repeat(width));
  // Keys are shown once they are active. Their rows are reserved before, so that nothing moves.
  const answers = state.answerable === request.requestId;
  if (request.kind === "question") {
    if (state.form?.requestId !== request.requestId) return nothing;
    const { lines: drawn, cursor } = drawQuestion(state.form, width, theme);
    const lines = answers ? drawn : [...drawn.slice(0, -1), { text: "" }];
    const before = cursor === undefined ? 0 : textRows(lines.slice(0, cursor.line), width).length + 1;
    const rows = [rule, ...textRows(lines, width)];
    return {
      rows: rows.slice(0, room),
      cursor: cursor === undefined ? undefined : { row: before, column: cursor.column },
    };
  }
  // The request spans the width below the sidebar too.
  const look = { ...lookOf(state, { columns: width, rows: room }), width };
  const { question, body, keys } = permissionPanel(request, answersTo(request, state.capabilities()), look);
  const [title = "", ...others] = textRows([question], width);
  const keyRows = textRows(keys, width).map((row) => (answers ? row : ""));
  const height = Math.max(0, room - keyRows.length - 2);
  const { rows: first, isWhole } = firstRows(body, width, state.requestTop + height + mostCounted);
  const details = [...others, ...first];
  if (details.length <= height) return { rows: [rule, title, ...details, ...keyRows].slice(0, room) };
  // The last row says that there is more; every other row can be scrolled to.
  const seen = Math.max(0, height - 1);
  const top = Math.min(state.requestTop, details.length - seen);
  const below = details.length - top - seen;
  const more = below > 0 ? `… ${below}${isWhole ? "" : "+"} more rows, Ctrl+↓ scrolls` : "the end, Ctrl+↑ scrolls back";
  const shown = [...details.slice(top, top + seen), theme.dim(more)].slice(0, height);
  return { rows: [rule, title, ...shown, ...keyRows].slice(0, room) };
}

const mostQueued = 3;

function queuePart(state: AppState, width: number): Part {
  const { queue } = state.sessions.active;
  const hints = `${state.sessions.active.isBusy ? "" : "Enter sends it, "}↑ on an empty prompt edits the last one`;
  const rows = queue.slice(0, mostQueued).map((prompt, at) => {
    const text = (typeof prompt === "string" ? prompt : prompt.text).split("\n", 1)[0] ?? "";
    return cutStyled(state.theme.dim(`  ${at + 1}. ${text}`), width);
  });
  if (queue.length > mostQueued) rows.push(cutStyled(state.theme.dim(`  … ${queue.length - mostQueued} more`), width));
  return {
    rows: queue.length === 0 ? [] : [cutStyled(state.theme.dim(`  Queued (${hints}):`), width), ...rows],
  };
}

function completionPart(state: AppState, width: number, room: number): Part {
  const { completion, theme } = state;
  if (!isOpen(completion)) return nothing;
  const height = Math.max(1, Math.min(8, room));
  const first = Math.max(0, Math.min(completion.chosen - height + 1, completion.items.length - height));
  const nameOf = ({ value }: (typeof completion.items)[number]): string =>
    completion.target?.kind === "slash" ? `/${value}` : printable(value);
  // Over all items, so that the column stays while somebody moves through them.
  const described = completion.items.filter(({ description }) => description !== undefined);
  const column = Math.min(24, Math.max(0, ...described.map((item) => styledColumns(nameOf(item)))));
  const rows = completion.items.slice(first, first + height).map((item, at) => {
    const chosen = first + at === completion.chosen;
    const name = nameOf(item);
    const gap = " ".repeat(Math.max(0, column - styledColumns(name)) + 2);
    const detail = item.description === undefined ? "" : `${gap}${theme.dim(item.description)}`;
    const row = cutStyled(`${chosen ? theme.accent("❯ ") : "  "}${name}${detail}`, width);
    return chosen ? theme.bold(row) : row;
  });
  return { rows };
}

function editorPart(state: AppState, width: number, maxRows: number): Part {
  const { active } = state.sessions;
  const { theme } = state;
  const placeholder =
    active.request !== undefined
      ? "Answer with a key above, or type your next prompt"
      : active.isBusy
        ? "Type your next prompt: Enter queues it"
        : state.placeholder;
  const { lines, cursor, above, below } = editorLines(active.editor, width, { theme, placeholder, maxRows });
  const rows = [...lines];
  if (above + below > 0 && rows.length > 1)
    rows[rows.length - 1] = cutStyled(`${rows.at(-1)!}${theme.dim(` … ${above + below} more rows`)}`, width);
  return { rows, cursor };
}

function searchPart(state: AppState, width: number): Part {
  if (state.search === undefined) return nothing;
  const { editor, found, at } = state.search;
  const { lines, cursor } = editorLines(editor, width, { theme: state.theme, prefix: "Search: ", maxRows: 1 });
  const count = isEmpty(editor)
    ? ""
    : state.theme.dim(
        found.length === 0 ? "  nothing found" : `  ${at + 1} of ${found.length} · Enter ↑ older · ↓ newer`,
      );
  return { rows: [cutStyled(`${lines[0] ?? ""}${count}${state.theme.dim(" · Esc closes")}`, width)], cursor };
}

function bottomParts(state: AppState, width: number, height: number): readonly Part[] {
  const { theme } = state;
  const maxEditor = Math.max(1, Math.min(12, Math.floor(height / 3)));
  const editor = state.search === undefined ? editorPart(state, width, maxEditor) : searchPart(state, width);
  const status: Part = height >= 3 ? { rows: [statusBar(state.statusFacts(), width, theme)] } : nothing;
  const rule: Part = height >= 6 ? { rows: [theme.border("─".repeat(width))] } : nothing;
  const used = editor.rows.length + status.rows.length + 2 * rule.rows.length;
  const room = Math.max(0, height - used - 1);
  const request = requestPart(state, width, Math.min(room, Math.max(6, Math.floor(height * 0.6))));
  const queue = height >= 10 ? queuePart(state, width) : nothing;
  const completion = completionPart(state, width, room - request.rows.length);
  return [request, queue, completion, rule, editor, rule, status];
}

function joined(parts: readonly Part[]): { readonly rows: readonly string[]; readonly cursor: Cell | undefined } {
  const rows: string[] = [];
  let cursor: Cell | undefined;
  for (const part of parts) {
    if (part.cursor !== undefined) cursor = { row: rows.length + part.cursor.row, column: part.cursor.column };
    rows.push(...part.rows);
  }
  return { rows, cursor };
}

/** At the end of a long session, only its last blocks are built. The rest is built in steps, or on scrolling. */
function shownRows({ sessions: { active } }: AppState, look: Look, room: number): Viewport {
  const { anchor } = active;
  if (anchor === undefined) {
    const { blocks, isWhole } = active.lastBlocks(look, room + 1);
    const shown = viewport(blocks, look.width, room);
    // The gap before the first block depends on the block before it.
    if (isWhole || (shown.rows.length === room && shown.rows[0]?.block !== blocks[0])) return shown;
  }
  return viewport(active.blocks(look), look.width, room, anchor);
}

/** The full screen, with exactly `size.rows` rows. */
export function drawFull(state: AppState, size: Size): DrawnFrame {
  const { columns, rows: height } = size;
  const { theme, repository } = state;
  const beside = isBeside(state, size, "left") || isBeside(state, size, "right");
  const bar = repository.shown && !beside ? repositoryBar(repository.status, columns, theme, repository) : undefined;
  const onTop = bar !== undefined && repository.placement !== "bottom" && height >= 8;
  const below = bar !== undefined && repository.placement === "bottom" && height >= 8;
  const bottom = joined([...bottomParts(state, columns, height), ...(below ? [{ rows: [bar.text] }] : [])]);
  const top = onTop ? [bar.text] : [];
  const room = Math.max(0, height - top.length - bottom.rows.length);
  const width = conversationWidth(state, size);
  const look = lookOf(state, size);
  const shown = shownRows(state, look, room);
  const middle = conversationRows(state, shown, width, room);
  const overlay =
    state.overlay === undefined ? undefined : drawOverlay(state.overlay, columns, Math.max(3, room), theme);
  const column = beside ? repositoryColumn(repository.status, theme, repository) : undefined;
  const left = leftWidth(state, size);
  const between = hasSidebar(state, size)
    ? besideSidebar(state, middle, width, room, left === 0 ? column?.lines : undefined)
    : middle;
  const withSide =
    left === 0 ? between : besideRepository(between, textRows(column?.lines ?? [], left - 3), left, theme);
  const first = Math.max(0, room - (overlay?.rows.length ?? 0));
  const body = overlay === undefined ? withSide : [...withSide.slice(0, first), ...overlay.rows];
  const rows = [...top, ...body, ...bottom.rows].slice(-height);
  const shift = rows.length - (top.length + body.length + bottom.rows.length);
  const place = (cell: Cell | undefined, before: number): Cell | undefined =>
    cell === undefined ? undefined : { row: Math.max(0, cell.row + before + shift), column: cell.column };
  const cursor =
    overlay === undefined ? place(bottom.cursor, top.length + body.length) : place(overlay.cursor, top.length + first);
  const action =
    column?.action === undefined
      ? bar?.action && (onTop || below) && { row: onTop ? 0 : height - 1, ...bar.action }
      : columnAction(column.action, top.length, left > 0 ? 0 : width + 3);
  return {
    rows,
    cursor,
    places: {
      conversation: overlay === undefined ? { top: top.length, left, width, shown } : undefined,
      repositoryAction: overlay === undefined || !beside ? action || undefined : undefined,
      editor: undefined,
    },
  };
}

function columnAction(
  { row, width }: { readonly row: number; readonly width: number },
  top: number,
  from: number,
): NonNullable<Places["repositoryAction"]> {
  return { row: top + row, from, to: from + width };
}

function besideRepository(rows: readonly string[], column: readonly string[], width: number, theme: Theme): string[] {
  const edge = theme.border("│");
  return rows.map((row, at) => `${fillStyled(column[at] ?? "", width - 2)}${edge} ${row}`);
}

function conversationRows(state: AppState, viewed: Viewport, width: number, room: number): string[] {
  const { rows, below } = viewed;
  const { theme, selection, sessions } = state;
  const { browsed } = sessions.active;
  const shown = rows.map(({ row, block }, at) => {
    if (selection !== undefined && at >= selection.from && at <= selection.to)
      return theme.selected(fillStyled(row.text, width));
    return block.id === browsed && row.from === 0 ? theme.bold(row.text) : row.text;
  });
  if (rows.length === 0) shown.push(...textRows(state.greeting(), width).slice(0, room));
  const blank = Array.from({ length: Math.max(0, room - shown.length) }, () => "");
  const all = [...shown, ...blank];
  const { anchor, unread } = sessions.active;
  if (anchor === undefined || below === 0 || room < 2) return all;
  const { rows: added } = countUnread(unread, width, viewed);
  const counted = (rows: number, what: string): string => `${rows}${rows === mostCounted ? "+" : ""} ${what}`;
  const words =
    added === 0 ? counted(below, "rows below") : counted(added, `new ${added === 1 ? "row" : "rows"} below`);
  all[room - 1] = cutStyled(theme.dim(`── ${words} · End goes to the end ──`), width);
  return all;
}

/** The padded rows of the last frame. While text scrolls, most of them appear again, and measuring them is slow. */
let filled: { readonly width: number; readonly rows: ReadonlyMap<string, string> } = { width: 0, rows: new Map() };

function besideSidebar(
  state: AppState,
  rows: readonly string[],
  width: number,
  room: number,
  above: readonly Line[] | undefined,
): string[] {
  const { sessions, theme } = state;
  const others = sessions.views.filter((view) => view !== sessions.active);
  const side = textRows(sidebar(sessions.active, others, theme, above), sidebarWidth - 1);
  const edge = theme.border("│");
  const before = filled.width === width ? filled.rows : new Map<string, string>();
  const now = new Map<string, string>();
  filled = { width, rows: now };
  return Array.from({ length: room }, (_, at) => {
    const row = rows[at] ?? "";
    const whole = before.get(row) ?? now.get(row) ?? fillStyled(row, width);
    now.set(row, whole);
    return `${whole} ${edge} ${side[at] ?? ""}`;
  });
}

/** The last rows of some lines. Only the lines that are needed are wrapped. */
function lastRows(lines: readonly Line[], width: number, most: number): string[] {
  const rows: string[] = [];
  for (let at = lines.length - 1; at >= 0 && rows.length < most; at--)
    rows.unshift(...rowsOf(lines[at]!, width).map(({ text }) => text));
  return most <= 0 ? [] : rows.slice(-most);
}

/**
 * The live rows below the printed lines: the end of the answer, the plan, the request, the prompt and the status. The end of the answer
 * leaves half of the screen free: a terminal that gets smaller would push live rows into its scrollback, where they would stay.
 */
export function drawLive(state: AppState, size: Size, tail: readonly Line[]): DrawnFrame {
  const { columns, rows: height } = size;
  const { theme, repository } = state;
  const bar =
    repository.shown && height >= 8
      ? [{ rows: [repositoryBar(repository.status, columns, theme, repository).text] }]
      : [];
  const bottom = joined([...bottomParts(state, columns, height), ...bar]);
  const { plan } = sessionFacts(state.sessions.active);
  const isOpenPlan = plan?.entries.some(({ status }) => status !== "completed") ?? false;
  const running = state.sessions.active.state === "running" && isOpenPlan;
  const planned = running && height >= 20 ? textRows(planLines(plan, theme), columns).slice(0, 8) : [];
  const room = Math.max(0, height - bottom.rows.length - planned.length - 1);
  const overlay =
    state.overlay === undefined ? undefined : drawOverlay(state.overlay, columns, Math.max(3, room), theme);
  const half = Math.max(3, Math.floor(height / 2) - bottom.rows.length - planned.length);
  const live = overlay === undefined ? lastRows(tail, columns, Math.min(room, half)) : overlay.rows;
  const rows = [...live, ...planned, ...bottom.rows].slice(-height);
  const shift = rows.length - (live.length + planned.length + bottom.rows.length);
  const cell = overlay === undefined ? bottom.cursor : overlay.cursor;
  const before = overlay === undefined ? live.length + planned.length : 0;
  const cursor = cell === undefined ? undefined : { row: Math.max(0, cell.row + before + shift), column: cell.column };
  return { rows, cursor, places: { conversation: undefined, repositoryAction: undefined, editor: undefined } };
}
