import { expect, test } from "vitest";
import { keyOf } from "../../../test/support/tui-keys.ts";
import { EditorHistory } from "./history.ts";
import { editKey } from "./keys.ts";
import { emptyEditor, insertPaste, setText, type EditorState } from "./state.ts";

const options = { width: 80, vi: true };

/** `a|b`: the cursor is on `b`. */
function normal(text: string): EditorState {
  return { ...setText(emptyEditor, text.replace("|", "")), cursor: text.indexOf("|"), mode: "normal", undo: [] };
}

function press(state: EditorState, keys: readonly string[]): EditorState {
  return keys.reduce((now, key) => editKey(now, keyOf(key), options).state, state);
}

function shown({ text, cursor, mode }: EditorState): string {
  return `${text.slice(0, cursor)}${mode === "insert" ? "¦" : "|"}${text.slice(cursor)}`;
}

test.each<[string, string, string]>([
  ["a|bc", "h", "|abc"],
  ["ab|c", "l", "ab|c"],
  ["a\n|b", "h", "a\n|b"],
  ["a|b\ncd", "j", "ab\nc|d"],
  ["ab\nc|d", "k", "a|b\ncd"],
  ["|one two.three", "w", "one |two.three"],
  ["one |two.three", "w", "one two|.three"],
  ["|one two three", "2w", "one two |three"],
  ["one tw|o", "b", "one |two"],
  ["|one two", "e", "on|e two"],
  ["on|e two", "e", "one tw|o"],
  ["  one| two", "0", "|  one two"],
  ["  one| two", "^", "  |one two"],
  ["|one two", "$", "one tw|o"],
  ["one\ntw|o", "gg", "|one\ntwo"],
  ["|one\ntwo", "G", "one\n|two"],
  ["|1\n2\n3", "2G", "1\n|2\n3"],
  ["a|bc", "x", "a|c"],
  ["|abc", "2x", "|c"],
  ["ab|c", "x", "a|b"],
  ["one\nt|wo\nthree", "dd", "one\n|three"],
  ["one\nt|wo", "dd", "|one"],
  ["o|ne", "dd", "|"],
  ["|1\n2\n3", "2dd", "|3"],
  ["one |two three", "dw", "one |three"],
  ["one |two\nx", "dw", "one| \nx"],
  ["|one two three", "d2w", "|three"],
  ["one tw|o", "db", "one |o"],
  ["|one two", "de", "| two"],
  ["one |two", "cw", "one ¦"],
  ["|one two", "cw", "¦ two"],
  ["on|e\ntwo", "cc", "¦\ntwo"],
  ["on|e two", "D", "o|n"],
  ["on|e two", "C", "on¦"],
  ["o|ne", "i", "o¦ne"],
  ["o|ne", "a", "on¦e"],
  ["  o|ne", "I", "  ¦one"],
  ["o|ne\nx", "A", "one¦\nx"],
  ["o|ne\nx", "o", "one\n¦\nx"],
  ["x\no|ne", "O", "x\n¦\none"],
  ["o|ne", "rx", "o|xe"],
  ["|one", "2rx", "x|xe"],
  ["|one", "5rx", "|one"],
  ["o|ne\ntwo", "ddp", "two\n|one"],
  ["|ab", "xp", "b|a"],
  ["o|ne\ntwo", "yyp", "one\n|one\ntwo"],
  ["o|ne\ntwo", "yyP", "|one\none\ntwo"],
  ["|one two", "dwu", "|one two"],
  ["|one", "q", "|one"],
  ["|one", "ixx", "xx¦one"],
  ["|👩‍👩‍👧‍👦b", "x", "|b"],
])("%j %s %j", (before, keys, expected) => {
  expect(shown(press(normal(before), Array.from(keys)))).toBe(expected);
});

test("leaves insert mode with Esc, then drops an unfinished command, then leaves Esc to the app", () => {
  const typed = press(emptyEditor, ["a", "b"]);
  const escaped = editKey(typed, keyOf("escape"), options);
  expect([shown(escaped.state), escaped.handled]).toEqual(["a|b", true]);
  const pending = press(escaped.state, ["d"]);
  expect([pending.pending, press(pending, ["escape"]).pending]).toEqual(["d", ""]);
  expect(editKey(escaped.state, keyOf("escape"), options).handled).toBe(false);
});

test("treats a paste as one character and restores it as a whole", () => {
  const state = press(insertPaste(press(emptyEditor, ["a"]), "x\n".repeat(9)), ["escape", "x"]);
  expect([state.text, state.marks]).toEqual(["a", []]);
  expect(press(state, ["p"]).marks).toHaveLength(1);
});

test("submits with Enter in normal mode, and redoes with Ctrl+R", () => {
  expect(editKey(normal("|a"), keyOf("enter"), options).submit).toBe(true);
  expect(press(normal("|ab"), ["x", "u", "ctrl+r"]).text).toBe("b");
});

test("reaches the history with j and k", () => {
  const history = new EditorHistory(["old"]);
  const state = editKey(normal("|draft"), keyOf("k"), { ...options, history }).state;
  expect([state.text, editKey(state, keyOf("j"), { ...options, history }).state.text]).toEqual(["old", "draft"]);
});
