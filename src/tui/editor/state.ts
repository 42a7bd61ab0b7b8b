/** The state of the prompt editor, and its basic edits. Immutable: each edit returns a new state. */
import { boundary, markAt, type Fragment, type Mark, type Paste } from "./graphemes.ts";

/** Stands for a paste in the text. Any other character would do: `marks` decides. */
const markCharacter = "\ufffc";
const maxUndo = 1000;
const maxKills = 30;
/** Longer pastes, in lines or characters, are folded. */
const foldLines = 3;
const foldLength = 400;
/** A longer paste stays folded: every key would lay it out again. */
export const openLength = 20_000;

export interface Point extends Fragment {
  readonly cursor: number;
}

/** The kind of the last edit. Successive edits of one kind are one undo step, or one entry of the kill ring. */
export type Streak = "type" | "erase" | "kill" | "yank" | undefined;

export interface EditorState extends Point {
  /** The column that Up and Down try to keep. */
  readonly column: number | undefined;
  readonly undo: readonly Point[];
  readonly redo: readonly Point[];
  /** Newest last. */
  readonly kills: readonly Fragment[];
  readonly streak: Streak;
  /** Start of the last yank, and the index in `kills` of its text. */
  readonly yanked: { readonly from: number; readonly kill: number } | undefined;
  /** Number of pastes folded in this prompt. */
  readonly pastes: number;
  readonly browsing: Browsing | undefined;
  readonly search: Search | undefined;
  /** Always `insert` without vi keys. */
  readonly mode: "insert" | "normal";
  /** Keys of an unfinished vi command, such as `2d`. */
  readonly pending: string;
}

/** Walking through the history. The entry after the last is the draft. */
export interface Browsing {
  readonly entries: readonly string[];
  readonly index: number;
  /** Edited entries and the draft, as they were left. */
  readonly kept: ReadonlyMap<number, Point>;
}

/** Reverse search in the history (Ctrl+R). */
export interface Search {
  readonly query: string;
  readonly entries: readonly string[];
  /** Index of the match; `entries.length` before the first. */
  readonly index: number;
  /** True when no older entry matches the query. */
  readonly failed: boolean;
  /** The editor before the search. */
  readonly draft: EditorState;
}

export const emptyEditor: EditorState = {
  text: "",
  marks: [],
  cursor: 0,
  column: undefined,
  undo: [],
  redo: [],
  kills: [],
  streak: undefined,
  yanked: undefined,
  pastes: 0,
  browsing: undefined,
  search: undefined,
  mode: "insert",
  pending: "",
};

/** The text to submit, with pastes byte for byte. */
export function editorText(doc: Fragment): string {
  let text = "";
  let from = 0;
  for (const { at, paste } of doc.marks) {
    text += doc.text.slice(from, at) + paste.text;
    from = at + 1;
  }
  return text + doc.text.slice(from);
}

export function isEmpty(state: Fragment): boolean {
  return state.text === "";
}

/** Replaces everything as one undo step, with the cursor at the end. A text that is too long to edit becomes one mark. */
export function setText(state: EditorState, text: string): EditorState {
  return text.length > openLength
    ? insertMark(state, 0, state.text.length, text)
    : replace(state, 0, state.text.length, text);
}

/** An empty editor for the next prompt: keeps the kill ring, drops the undo steps. */
export function clearEditor({ kills }: EditorState): EditorState {
  return { ...emptyEditor, kills };
}

export function fragment({ text, marks }: Fragment, from: number, to: number): Fragment {
  return {
    text: text.slice(from, to),
    marks: marks.filter(({ at }) => at >= from && at < to).map(({ at, paste }) => ({ at: at - from, paste })),
  };
}

const noMarks: readonly Mark[] = [];

function asFragment(text: string | Fragment): Fragment {
  return typeof text === "string" ? { text, marks: noMarks } : text;
}

function spliced(doc: Fragment, from: number, to: number, inserted: Fragment): Fragment {
  const text = doc.text.slice(0, from) + inserted.text + doc.text.slice(to);
  if (doc.marks.length === 0 && inserted.marks.length === 0) return { text, marks: noMarks };
  const moved = inserted.text.length - (to - from);
  return {
    text,
    marks: [
      ...doc.marks.filter(({ at }) => at < from),
      ...inserted.marks.map(({ at, paste }) => ({ at: at + from, paste })),
      ...doc.marks.filter(({ at }) => at >= to).map(({ at, paste }) => ({ at: at + moved, paste })),
    ],
  };
}

export function point({ text, marks, cursor }: Point): Point {
  return { text, marks, cursor };
}

/** The only function that changes text. The cursor is after the inserted text, or at `cursor`. Edits of one streak are one undo step. */
export function replace(
  state: EditorState,
  from: number,
  to: number,
  inserted: string | Fragment,
  { streak, cursor }: { readonly streak?: Streak; readonly cursor?: number } = {},
): EditorState {
  const piece = asFragment(inserted);
  const doc = from === to && piece.text === "" ? state : spliced(state, from, to, piece);
  const goal = boundary(doc, cursor ?? from + piece.text.length);
  if (doc.text === state.text && doc.marks === state.marks) return moveTo(state, goal);
  const goesOn = streak !== undefined && streak === state.streak && streak !== "yank" && streak !== "kill";
  return {
    ...state,
    text: doc.text,
    marks: doc.marks,
    cursor: goal,
    column: undefined,
    undo: goesOn ? state.undo : [...state.undo.slice(1 - maxUndo), point(state)],
    redo: [],
    streak,
    yanked: undefined,
  };
}

/** Moves the cursor to a boundary and ends the streak. */
export function moveTo(state: EditorState, cursor: number, column?: number): EditorState {
  return { ...state, cursor, column, streak: undefined, yanked: undefined };
}

/** Inserts typed text. Each word is an undo step of its own. */
export function insertText(state: EditorState, text: string): EditorState {
  const newWord = /^\S/u.test(text) && /\s/.test(state.text.charAt(state.cursor - 1));
  const base = newWord ? { ...state, streak: undefined } : state;
  return replace(base, state.cursor, state.cursor, text, { streak: "type" });
}

export function lineCount(text: string): number {
  let count = 1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) count++;
  }
  return count;
}

/** A long paste becomes one mark, a short one plain text. Pasting the same text again after its mark opens the mark. */
export function insertPaste(state: EditorState, text: string): EditorState {
  if (text === "") return state;
  const mark = markAt(state.marks, state.cursor - 1);
  if (mark?.paste.text === text && text.length < openLength) return openMark(state, mark);
  if (text.length > foldLength || lineCount(text) > foldLines)
    return insertMark(state, state.cursor, state.cursor, text);
  return replace(state, state.cursor, state.cursor, text);
}

function insertMark(state: EditorState, from: number, to: number, text: string): EditorState {
  const paste: Paste = { id: state.pastes + 1, text, lines: lineCount(text) };
  const inserted = { text: markCharacter, marks: [{ at: 0, paste }] };
  return { ...replace(state, from, to, inserted), pastes: paste.id };
}

/** The mark that the cursor touches; the one before it first. */
export function markBeside({ marks, cursor }: Point): Mark | undefined {
  return markAt(marks, cursor - 1) ?? markAt(marks, cursor);
}

/** Replaces a mark with the text of its paste. */
export function openMark(state: EditorState, { at, paste }: Mark): EditorState {
  return replace(state, at, at + 1, paste.text);
}

export function markLabel({ id, lines, text }: Paste): string {
  const size = lines > 1 ? `${lines} lines` : `${text.length} characters`;
  return `[Pasted text #${id}, ${size}]`;
}

/** Deletes text into the kill ring. Successive kills become one entry. */
export function kill(state: EditorState, from: number, to: number): EditorState {
  if (from === to) return moveTo(state, state.cursor);
  const removed = fragment(state, from, to);
  const last = state.kills.at(-1);
  const next = replace(state, from, to, "", { streak: "kill" });
  if (state.streak !== "kill" || last === undefined)
    return { ...next, kills: [...state.kills.slice(1 - maxKills), removed] };
  const joined = to === state.cursor && from < to ? spliced(last, 0, 0, removed) : appended(last, removed);
  return { ...next, kills: [...state.kills.slice(0, -1), joined] };
}

function appended(first: Fragment, second: Fragment): Fragment {
  return spliced(first, first.text.length, first.text.length, second);
}

export function yank(state: EditorState): EditorState {
  const newest = state.kills.at(-1);
  if (newest === undefined) return state;
  const next = replace(state, state.cursor, state.cursor, newest, { streak: "yank" });
  return { ...next, yanked: { from: state.cursor, kill: state.kills.length - 1 } };
}

/** Replaces the text that was just yanked with the previous entry of the kill ring. Undefined unless the last key was a yank. */
export function yankOlder(state: EditorState): EditorState | undefined {
  const { yanked, kills, cursor } = state;
  if (yanked === undefined || state.streak !== "yank") return undefined;
  const index = (yanked.kill - 1 + kills.length) % kills.length;
  const next = replace(state, yanked.from, cursor, kills[index] as Fragment, { streak: "yank" });
  return { ...next, streak: "yank", yanked: { from: yanked.from, kill: index } };
}

export function undo(state: EditorState): EditorState {
  const last = state.undo.at(-1);
  if (last === undefined) return state;
  return { ...moveTo(state, 0), ...last, undo: state.undo.slice(0, -1), redo: [...state.redo, point(state)] };
}

export function redo(state: EditorState): EditorState {
  const last = state.redo.at(-1);
  if (last === undefined) return state;
  return { ...moveTo(state, 0), ...last, redo: state.redo.slice(0, -1), undo: [...state.undo, point(state)] };
}
