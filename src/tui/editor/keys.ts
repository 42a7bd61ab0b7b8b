/** The keys of the prompt editor: Emacs keys, and vi keys if they are enabled. */
import { keyName, type Key } from "../key.ts";
import { after, before } from "./graphemes.ts";
import { walkHistory, type EditorHistory } from "./history.ts";
import { columnOf, layout, offsetAt, rowOf, textWidth, type LayoutRow } from "./layout.ts";
import { blankWordLeft, lineEnd, lineStart, wordLeft, wordRight } from "./move.ts";
import { endSearch, searchKey, startSearch } from "./search.ts";
import {
  insertText,
  isEmpty,
  kill,
  markBeside,
  moveTo,
  openLength,
  openMark,
  redo,
  replace,
  undo,
  yank,
  yankOlder,
  type EditorState,
} from "./state.ts";
import { viKey } from "./vi.ts";

/** Shown before the first row of the prompt. */
export const defaultPrefix = "❯ ";

export interface EditorOptions {
  /** The same width and prefix as in `editorLines`: Up and Down move by screen rows. */
  readonly width: number;
  readonly prefix?: string | undefined;
  readonly history?: EditorHistory | undefined;
  readonly vi?: boolean | undefined;
}

export interface EditResult {
  readonly state: EditorState;
  /** False when the key has no meaning here; the app may use it. */
  readonly handled: boolean;
  /** Enter was pressed: the app decides what to do with the text. */
  readonly submit?: boolean | undefined;
  /** Why the key did nothing, as a sentence for the person. */
  readonly notice?: string | undefined;
}

/** Returns undefined when not handled. */
type Command = (state: EditorState, options: EditorOptions) => EditorState | undefined;

const newline: Command = (state) => replace(state, state.cursor, state.cursor, "\n");
const left: Command = (state) => moveTo(state, before(state, state.cursor));
const right: Command = (state) => moveTo(state, after(state, state.cursor));
const home: Command = (state) => moveTo(state, lineStart(state, state.cursor));
const end: Command = (state) => moveTo(state, lineEnd(state, state.cursor));
const previousWord: Command = (state) => moveTo(state, wordLeft(state, state.cursor));
const nextWord: Command = (state) => moveTo(state, wordRight(state, state.cursor));
const up: Command = (state, options) => moveRows(state, -1, options);
const down: Command = (state, options) => moveRows(state, 1, options);
const killNextWord: Command = (state) => kill(state, state.cursor, wordRight(state, state.cursor));
const killPreviousWord: Command = (state) => kill(state, wordLeft(state, state.cursor), state.cursor);
const search: Command = (state, { history }) => history && startSearch(state, history.entries);
const erase: Command = (state) =>
  isEmpty(state) ? undefined : replace(state, before(state, state.cursor), state.cursor, "", { streak: "erase" });
const eraseNext: Command = (state) =>
  isEmpty(state) ? undefined : replace(state, state.cursor, after(state, state.cursor), "", { streak: "erase" });

/** At the start of a line, deletes the line break before it. */
const killLineStart: Command = (state) => {
  const start = lineStart(state, state.cursor);
  return kill(state, start === state.cursor ? before(state, start) : start, state.cursor);
};
/** At the end of a line, deletes the line break. */
const killLineEnd: Command = (state) => {
  const stop = lineEnd(state, state.cursor);
  return kill(state, state.cursor, stop === state.cursor ? after(state, stop) : stop);
};

/** Terminals send Ctrl+_ in several ways; without a key protocol it is the same byte as Ctrl+- and Ctrl+/. */
const commands: Readonly<Record<string, Command>> = {
  left,
  right,
  up,
  down,
  home,
  end,
  "ctrl+b": left,
  "ctrl+f": right,
  "ctrl+p": up,
  "ctrl+n": down,
  "ctrl+a": home,
  "ctrl+e": end,
  "alt+b": previousWord,
  "alt+left": previousWord,
  "ctrl+left": previousWord,
  "alt+f": nextWord,
  "alt+right": nextWord,
  "ctrl+right": nextWord,
  "ctrl+home": (state) => moveTo(state, 0),
  "ctrl+end": (state) => moveTo(state, state.text.length),
  "alt+<": (state) => moveTo(state, 0),
  "alt+>": (state) => moveTo(state, state.text.length),
  backspace: erase,
  "shift+backspace": erase,
  "ctrl+h": erase,
  delete: eraseNext,
  "ctrl+d": eraseNext,
  "ctrl+w": (state) => kill(state, blankWordLeft(state, state.cursor), state.cursor),
  "alt+backspace": killPreviousWord,
  "ctrl+backspace": killPreviousWord,
  "alt+d": killNextWord,
  "alt+delete": killNextWord,
  "ctrl+delete": killNextWord,
  "ctrl+u": killLineStart,
  "ctrl+k": killLineEnd,
  "ctrl+y": yank,
  "alt+y": yankOlder,
  "ctrl+_": undo,
  "ctrl+-": undo,
  "ctrl+/": undo,
  "ctrl+shift+-": undo,
  "ctrl+shift+_": undo,
  "alt+_": redo,
  "alt+shift+-": redo,
  "alt+shift+_": redo,
  "ctrl+r": search,
  "shift+enter": newline,
  "alt+enter": newline,
  "ctrl+j": newline,
};

export function editKey(state: EditorState, key: Key, options: EditorOptions): EditResult {
  if (state.search !== undefined) {
    const searched = searchKey(state, key);
    if (searched !== undefined) return { state: searched, handled: true };
    return editKey(endSearch(state), key, options);
  }
  if (options.vi === true) {
    const next = viKey(state, key, (step) => moveRows(state, step, options));
    if (next !== undefined) return { state: next, handled: true };
  }
  const name = keyName(key);
  if (name === "enter") return enter(state);
  if (name === "ctrl+o") return open(state);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command !== undefined) {
    const next = command(state, options);
    return { state: next ?? state, handled: next !== undefined };
  }
  if (key.text === undefined || key.text === "" || key.ctrl || key.alt) return { state, handled: false };
  return { state: insertText(state, key.text), handled: true };
}

/** A backslash before the cursor makes Enter a newline; two backslashes are text. */
function enter(state: EditorState): EditResult {
  const { text, cursor } = state;
  const backslashes = /\\*$/.exec(text.slice(lineStart(state, cursor), cursor))?.[0].length ?? 0;
  if (backslashes % 2 === 0) return { state, handled: true, submit: true };
  return { state: replace(state, cursor - 1, cursor, "\n"), handled: true };
}

function open(state: EditorState): EditResult {
  const mark = markBeside(state);
  if (mark === undefined) return { state, handled: false };
  if (mark.paste.text.length < openLength) return { state: openMark(state, mark), handled: true };
  return { state, handled: true, notice: "The pasted text is too long to open here. It is sent as a whole." };
}

/** Moves one row up or down and keeps the column. From the first and last row it continues in the history. */
function moveRows(state: EditorState, step: -1 | 1, options: EditorOptions): EditorState | undefined {
  const { columns } = textWidth(options.width, options.prefix ?? defaultPrefix);
  const rows = layout(state, columns);
  const index = rowOf(rows, state.cursor);
  const target = rows[index + step];
  if (target === undefined) return walkHistory(state, options.history?.entries ?? [], step);
  const column = state.column ?? columnOf(state, rows[index] as LayoutRow, state.cursor, columns);
  return moveTo(state, offsetAt(state, target, column, columns), column);
}
