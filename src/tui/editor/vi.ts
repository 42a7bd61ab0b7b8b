/** Optional vi keys: insert and normal mode. */
import { keyName, type Key } from "../key.ts";
import { after, before, boundaryBefore } from "./graphemes.ts";
import { kindAt, lineEnd, lineStart, skipLeft, skipRight, type WordKind } from "./move.ts";
import { fragment, moveTo, redo, replace, undo, type EditorState } from "./state.ts";

/** Moves by screen rows, or through the history. */
type MoveRows = (step: -1 | 1) => EditorState | undefined;

/** A count, an operator with a count of its own, and a motion or command. */
const grammar = /^([1-9]\d*)?(?:([dcy])([1-9]\d*)?)?(.*)$/su;
const unfinished = new Set(["", "g", "r"]);
/** A larger count is a typing mistake. */
const maxCount = 9999;

/** The state after a vi key. Undefined: the key has its usual meaning. */
export function viKey(state: EditorState, key: Key, moveRows: MoveRows): EditorState | undefined {
  const name = keyName(key);
  if (state.mode === "insert") return name === "escape" ? toNormal(state) : undefined;
  if (name === "escape") return state.pending === "" ? undefined : { ...state, pending: "" };
  if (name === "ctrl+r") return redo(state);
  if (name === "backspace") return onCharacter(moveTo(state, before(state, state.cursor)));
  if (key.text === undefined || key.ctrl || key.alt) return undefined;
  const pending = state.pending + key.text;
  const [, first, operator, second, rest = ""] = grammar.exec(pending) ?? [];
  if (unfinished.has(rest)) return { ...state, pending };
  const count = Math.min(maxCount, Number(first ?? 1) * Number(second ?? 1));
  const base = { ...state, pending: "" };
  if (operator !== undefined) return onCharacter(operate(base, operator, rest, count));
  if (rest === "j" || rest === "k") return { ...(moveRows(rest === "j" ? 1 : -1) ?? base), pending: "" };
  const target = motion(base, rest, count, first !== undefined);
  if (target !== undefined) return onCharacter(moveTo(base, target.to));
  return onCharacter(command(base, rest, count));
}

function toNormal(state: EditorState): EditorState {
  const start = lineStart(state, state.cursor);
  const cursor = state.cursor > start ? before(state, state.cursor) : state.cursor;
  return { ...moveTo(state, cursor), mode: "normal", pending: "" };
}

/** In normal mode the cursor is on a character, never after the last one. */
function onCharacter(state: EditorState): EditorState {
  if (state.mode === "insert") return state;
  const { cursor } = state;
  const behind = cursor === lineEnd(state, cursor) && cursor > lineStart(state, cursor);
  return behind ? { ...state, cursor: before(state, cursor) } : state;
}

interface Target {
  readonly to: number;
  /** The operator takes whole lines, or includes the character at `to`. */
  readonly reach?: "lines" | "inclusive";
}

function motion(state: EditorState, keys: string, count: number, counted: boolean): Target | undefined {
  const { cursor } = state;
  switch (keys) {
    case "h":
      return {
        to: Math.max(
          lineStart(state, cursor),
          times(count, cursor, (at) => before(state, at)),
        ),
      };
    case "l":
    case " ":
      return {
        to: Math.min(
          lineEnd(state, cursor),
          times(count, cursor, (at) => after(state, at)),
        ),
      };
    case "w":
      return { to: times(count, cursor, (at) => nextStart(state, at)) };
    case "b":
      return { to: times(count, cursor, (at) => previousStart(state, at)) };
    case "e":
      return { to: times(count, cursor, (at) => nextEnd(state, at)), reach: "inclusive" };
    case "0":
      return { to: lineStart(state, cursor) };
    case "^":
      return { to: firstLetter(state, cursor) };
    case "$":
      return { to: lineEnd(state, cursor) };
    case "gg":
      return { to: firstLetter(state, lineAt(state, counted ? count : 1)), reach: "lines" };
    case "G":
      return { to: firstLetter(state, counted ? lineAt(state, count) : state.text.length), reach: "lines" };
    default:
      return undefined;
  }
}

function times(count: number, start: number, step: (at: number) => number): number {
  let at = start;
  for (let done = 0; done < count; done++) {
    const next = step(at);
    if (next === at) break;
    at = next;
  }
  return at;
}

function nextStart(state: EditorState, at: number): number {
  return skipRight(state, skipKind(state, at), (kind) => kind === "blank");
}

function skipKind(state: EditorState, at: number): number {
  const kind = kindAt(state, at);
  return kind === "blank" ? at : skipRight(state, at, (other) => other === kind);
}

function previousStart(state: EditorState, at: number): number {
  const word = skipLeft(state, at, (kind) => kind === "blank");
  if (word === 0) return 0;
  const kind: WordKind = kindAt(state, before(state, word));
  return skipLeft(state, word, (other) => other === kind);
}

/** The last character of the next word. */
function nextEnd(state: EditorState, at: number): number {
  const word = skipRight(state, after(state, at), (kind) => kind === "blank");
  if (word >= state.text.length) return at >= state.text.length ? at : before(state, state.text.length);
  return before(state, skipKind(state, word));
}

function firstLetter(state: EditorState, at: number): number {
  const end = lineEnd(state, at);
  return Math.min(
    end,
    skipRight(state, lineStart(state, at), (kind) => kind === "blank"),
  );
}

/** Start of a line by its number, from 1. */
function lineAt(state: EditorState, number: number): number {
  return times(number - 1, 0, (at) => after(state, lineEnd(state, at)));
}

function operate(state: EditorState, operator: string, keys: string, count: number): EditorState {
  const { cursor } = state;
  if (keys === operator)
    return lines(
      state,
      operator,
      cursor,
      times(count - 1, cursor, (at) => below(state, at)),
    );
  if (keys === "j")
    return lines(
      state,
      operator,
      cursor,
      times(count, cursor, (at) => below(state, at)),
    );
  if (keys === "k")
    return lines(
      state,
      operator,
      times(count, cursor, (at) => above(state, at)),
      cursor,
    );
  // `cw` changes the word without the blanks after it.
  const onWord = operator === "c" && keys === "w" && kindAt(state, cursor) !== "blank";
  const target = onWord ? wordEnd(state, count) : motion(state, keys, count, false);
  if (target === undefined) return state;
  const [from, to] = target.to < cursor ? [target.to, cursor] : [cursor, target.to];
  if (target.reach === "lines") return lines(state, operator, from, to);
  // `dw` on the last word of a line keeps the line break.
  const stop = keys === "w" && count === 1 ? Math.min(to, lineEnd(state, cursor)) : to;
  return cut(state, operator, from, target.reach === "inclusive" ? after(state, to) : stop);
}

function wordEnd(state: EditorState, count: number): Target {
  const first = skipKind(state, state.cursor);
  return {
    to: times(count - 1, first, (at) =>
      skipKind(
        state,
        skipRight(state, at, (kind) => kind === "blank"),
      ),
    ),
  };
}

function below(state: EditorState, at: number): number {
  return after(state, lineEnd(state, at));
}

function above(state: EditorState, at: number): number {
  return lineStart(state, before(state, lineStart(state, at)));
}

function cut(state: EditorState, operator: string, from: number, to: number): EditorState {
  const kept = { ...state, kills: from === to ? state.kills : [...state.kills, fragment(state, from, to)] };
  const next = operator === "y" ? moveTo(kept, from) : replace(kept, from, to, "");
  return operator === "c" ? { ...next, mode: "insert" } : next;
}

/** Operates on whole lines; in the kill ring they end with a newline. */
function lines(state: EditorState, operator: string, first: number, last: number): EditorState {
  const from = lineStart(state, first);
  const to = lineEnd(state, last);
  const removed = fragment(state, from, to);
  const kept = { ...state, kills: [...state.kills, { ...removed, text: `${removed.text}\n` }] };
  if (operator === "y") return kept;
  if (operator === "c") return { ...replace(kept, from, to, ""), mode: "insert" };
  const atEnd = to >= state.text.length;
  const next = replace(kept, atEnd ? before(state, from) : from, atEnd ? to : after(state, to), "");
  return moveTo(next, lineStart(next, next.cursor));
}

function command(state: EditorState, keys: string, count: number): EditorState {
  const { cursor } = state;
  const insert = (at: number): EditorState => ({ ...moveTo(state, at), mode: "insert" });
  const end = lineEnd(state, cursor);
  const right = Math.min(
    end,
    times(count, cursor, (at) => after(state, at)),
  );
  if (keys.startsWith("r")) return replaceCharacters(state, keys.slice(1), count);
  switch (keys) {
    case "i":
      return insert(cursor);
    case "a":
      return insert(Math.min(end, after(state, cursor)));
    case "I":
      return insert(firstLetter(state, cursor));
    case "A":
      return insert(end);
    case "o":
      return { ...replace(state, end, end, "\n"), mode: "insert" };
    case "O": {
      const start = lineStart(state, cursor);
      return { ...replace(state, start, start, "\n", { cursor: start }), mode: "insert" };
    }
    case "x":
      return cut(state, "d", cursor, right);
    case "s":
      return cut(state, "c", cursor, right);
    case "D":
      return cut(state, "d", cursor, end);
    case "C":
      return cut(state, "c", cursor, end);
    case "p":
    case "P":
      return put(state, keys === "p", count);
    case "u":
      return undo(state);
    default:
      return state;
  }
}

function replaceCharacters(state: EditorState, text: string, count: number): EditorState {
  const { cursor } = state;
  const end = lineEnd(state, cursor);
  let to = cursor;
  for (let done = 0; done < count; done++) {
    if (to >= end) return state;
    to = after(state, to);
  }
  const next = replace(state, cursor, to, text.repeat(count));
  return { ...next, cursor: boundaryBefore(next, Math.max(cursor, next.cursor - text.length)) };
}

function put(state: EditorState, behind: boolean, count: number): EditorState {
  const newest = state.kills.at(-1);
  if (newest === undefined) return state;
  const { cursor } = state;
  let next = state;
  if (!newest.text.endsWith("\n")) {
    const at = behind ? Math.min(lineEnd(state, cursor), after(state, cursor)) : cursor;
    next = moveTo(state, at);
    for (let done = 0; done < Math.min(count, 100); done++) next = replace(next, next.cursor, next.cursor, newest);
    return { ...next, cursor: before(next, next.cursor) };
  }
  const at = behind ? lineEnd(state, cursor) : lineStart(state, cursor);
  const line = fragment(newest, 0, newest.text.length - 1);
  next = replace(state, at, at, "\n", { cursor: behind ? at + 1 : at });
  const start = next.cursor;
  return { ...replace(next, start, start, line, { cursor: start }), undo: next.undo };
}
