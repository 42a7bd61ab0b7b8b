import { describe, expect, test } from "vitest";
import { keyOf } from "../../../test/support/tui-keys.ts";
import { EditorHistory } from "./history.ts";
import { editKey, type EditorOptions } from "./keys.ts";
import { editorText, emptyEditor, insertPaste, setText, type EditorState } from "./state.ts";

const options: EditorOptions = { width: 80 };

/** `a|b` is text with the cursor between. */
function at(text: string): EditorState {
  const cursor = text.indexOf("|");
  return { ...setText(emptyEditor, text.replace("|", "")), cursor, undo: [] };
}

function shown({ text, cursor }: EditorState): string {
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}

function press(state: EditorState, names: readonly string[], opts = options): EditorState {
  return names.reduce((now, name) => editKey(now, keyOf(name), opts).state, state);
}

const family = "👩‍👩‍👧‍👦";

describe("keys", () => {
  test.each<[string, string, string]>([
    ["a|b", "left", "|ab"],
    ["|ab", "left", "|ab"],
    ["a|b", "right", "ab|"],
    ["ab|", "right", "ab|"],
    [`x${family}|`, "left", `x|${family}`],
    [`x|${family}y`, "right", `x${family}|y`],
    ["🇩🇪🇫🇷|", "left", "🇩🇪|🇫🇷"],
    ["e\u0301|", "left", "|e\u0301"],
    ["one\ntwo|", "home", "one\n|two"],
    ["one\ntwo|", "ctrl+a", "one\n|two"],
    ["o|ne\ntwo", "end", "one|\ntwo"],
    ["o|ne\ntwo", "ctrl+e", "one|\ntwo"],
    ["a|b", "ctrl+b", "|ab"],
    ["a|b", "ctrl+f", "ab|"],
    ["one two|", "alt+b", "one |two"],
    ["one two, |", "ctrl+left", "one |two, "],
    ["|one two", "alt+f", "one| two"],
    ["one|, two", "ctrl+right", "one, two|"],
    ["a/b c.d|", "ctrl+w", "a/b |"],
    ["a/b c.d|", "alt+backspace", "a/b c.|"],
    ["one |two", "alt+d", "one |"],
    ["one\ntw|o", "ctrl+u", "one\n|o"],
    ["one\n|two", "ctrl+u", "one|two"],
    ["o|ne\ntwo", "ctrl+k", "o|\ntwo"],
    ["one|\ntwo", "ctrl+k", "one|two"],
    ["a\r\n|b", "backspace", "a|b"],
    ["|ab", "ctrl+d", "|b"],
    ["ab|", "ctrl+d", "ab|"],
    ["|ab", "delete", "|b"],
    [`x${family}|`, "backspace", "x|"],
    ["🇩🇪🇫🇷|", "backspace", "🇩🇪|"],
    ["❤️|", "backspace", "|"],
    ["שָׁ|", "backspace", "|"],
    ["ที่|", "backspace", "|"],
    ["漢字|", "backspace", "漢|"],
    ["a|b", "shift+enter", "a\n|b"],
    ["a|b", "alt+enter", "a\n|b"],
    ["a|b", "ctrl+j", "a\n|b"],
    ["a\\|b", "enter", "a\n|b"],
    ["one\ntwo|", "up", "one|\ntwo"],
    ["one\nt|wo", "up", "o|ne\ntwo"],
    ["o|ne\ntwo", "down", "one\nt|wo"],
    ["a|b", "?", "a?|b"],
    ["|", "!", "!|"],
    ["|", "/", "/|"],
    ["|", "é", "é|"],
    ["a\nb|c", "ctrl+home", "|a\nbc"],
    ["a|\nbc", "ctrl+end", "a\nbc|"],
  ])("%j %s %j", (before, key, expected) => {
    const result = editKey(at(before), keyOf(key), options);
    expect([shown(result.state), result.handled, result.submit]).toEqual([expected, true, undefined]);
  });

  test.each(["escape", "tab", "f1", "ctrl+c", "ctrl+z", "ctrl+l", "pageup", "alt+x", "ctrl+o", "alt+y", "up", "down"])(
    "leaves %s to the app",
    (key) => {
      const state = at("ab|");
      expect(editKey(state, keyOf(key), options)).toEqual({ state, handled: false });
    },
  );

  test.each(["ctrl+d", "delete", "backspace"])("leaves %s in an empty editor to the app", (key) => {
    expect(editKey(emptyEditor, keyOf(key), options)).toEqual({ state: emptyEditor, handled: false });
  });

  test("submits on Enter; two backslashes are text", () => {
    const state = at("C:\\\\|");
    expect(editKey(state, keyOf("enter"), options)).toEqual({ state, handled: true, submit: true });
  });
});

test("keeps the column when moving over a short line and over wrapped rows", () => {
  const state = press(at("long line\nx\nlong li|ne"), ["up", "up"]);
  expect(shown(state)).toBe("long li|ne\nx\nlong line");
  const wrapped = at("aaaa bbbb cccc|");
  expect(shown(press(wrapped, ["up"], { width: 12, prefix: "> " }))).toBe("aaaa| bbbb cccc");
});

test("joins successive kills into one entry, and cycles through the ring", () => {
  const killed = press(at("one two three|"), ["ctrl+w", "ctrl+w", "left", "right", "ctrl+u"]);
  expect(killed.kills.map(({ text }) => text)).toEqual(["two three", "one "]);
  expect(shown(press(killed, ["ctrl+y"]))).toBe("one |");
  expect(shown(press(killed, ["ctrl+y", "alt+y"]))).toBe("two three|");
  expect(shown(press(killed, ["ctrl+y", "alt+y", "alt+y"]))).toBe("one |");
});

test("undoes a word and redoes it", () => {
  const typed = press(emptyEditor, Array.from("one two"));
  expect(shown(press(typed, ["ctrl+_"]))).toBe("one |");
  expect(shown(press(typed, ["ctrl+_", "ctrl+_"]))).toBe("|");
  expect(shown(press(typed, ["ctrl+_", "ctrl+_", "alt+_"]))).toBe("one |");
  expect(shown(press(typed, ["ctrl+_", "x", "alt+_"]))).toBe("one x|");
});

describe("pastes", () => {
  const long = "\ta\r\nb\u0000\n".repeat(100);

  test("submits a long paste byte for byte, shown as one mark", () => {
    const state = press(insertPaste(press(emptyEditor, Array.from("see ")), long), Array.from(" ok"));
    expect(state.text).toHaveLength(8);
    expect(editorText(state)).toBe(`see ${long} ok`);
    expect(editorText(press(state, ["left", "left", "left", "backspace"]))).toBe("see  ok");
  });

  test("shows a megabyte as one mark", () => {
    const text = "0123456\n".repeat(131_072);
    const state = insertPaste(emptyEditor, text);
    expect([state.text.length, editorText(state) === text]).toEqual([1, true]);
    expect(editKey(state, keyOf("ctrl+o"), options)).toMatchObject({ handled: true, notice: expect.any(String) });
  });

  test.each([
    ["tabs stay", "a\tb\r\nc", 6],
    ["three lines stay", "1\n2\n3", 5],
    ["four lines fold", "1\n2\n3\n4", 1],
    ["400 characters stay", "x".repeat(400), 400],
    ["401 characters fold", "x".repeat(401), 1],
  ])("%s", (_, text, length) => {
    const state = insertPaste(emptyEditor, text);
    expect([state.text.length, editorText(state)]).toEqual([length, text]);
  });

  test("opens the mark with Ctrl+O or by pasting again", () => {
    const state = insertPaste(emptyEditor, long);
    expect(press(state, ["ctrl+o"]).text).toBe(long);
    expect(press(state, ["left", "ctrl+o"]).text).toBe(long);
    expect(insertPaste(state, long).text).toBe(long);
    expect(press(state, ["ctrl+o", "ctrl+_"]).marks).toEqual(state.marks);
  });

  test("makes no mark when its character is typed", () => {
    const folded = insertPaste(emptyEditor, long);
    const state = press(folded, ["\ufffc", ...Array.from("[Pasted text #1, 201 lines]")]);
    expect(editorText(state)).toBe(`${long}\ufffc[Pasted text #1, 201 lines]`);
    expect(editorText(press(press(folded, ["\ufffc"]), ["home", "delete"]))).toBe("\ufffc");
  });

  test("yanks a killed mark as a whole", () => {
    const state = press(insertPaste(press(emptyEditor, ["a"]), long), ["ctrl+u", "b", "ctrl+y"]);
    expect(editorText(state)).toBe(`ba${long}`);
    expect(state.marks).toHaveLength(1);
  });
});

describe("history", () => {
  const history = new EditorHistory(["one", "two\nlines", "three"]);
  const opts = { ...options, history };

  test("walks with Up and Down, and restores the draft with its cursor", () => {
    const draft = at("dr|aft");
    expect(press(draft, ["up"], opts).text).toBe("three");
    expect(press(draft, ["up", "up"], opts).text).toBe("two\nlines");
    expect(press(draft, ["up", "up", "up", "up"], opts).text).toBe("one");
    expect(shown(press(draft, ["up", "up", "down", "down", "down"], opts))).toBe("dr|aft");
  });

  test("keeps edits of an entry without changing the history", () => {
    const state = press(at("draft|"), ["up", "!", "up", "down", "down"], opts);
    expect(state.text).toBe("three!");
    expect(history.entries).toEqual(["one", "two\nlines", "three"]);
  });

  test("keeps the pastes of a draft", () => {
    const draft = insertPaste(emptyEditor, "x\n".repeat(10));
    expect(press(draft, ["up", "down"], opts).marks).toEqual(draft.marks);
  });

  test("removes duplicates and limits the size", () => {
    const some = new EditorHistory(["a", "b", "a"]);
    some.add("b");
    some.add("  ");
    expect(some.entries).toEqual(["a", "b"]);
    for (let index = 0; index < 1200; index++) some.add(String(index));
    expect([some.entries.length, some.entries[0], some.entries.at(-1)]).toEqual([1000, "200", "1199"]);
    const large = "y".repeat(600_000);
    for (const each of ["1", "2", "3"]) some.add(large + each);
    expect(some.entries).toEqual([`${large}3`]);
  });

  test("searches backwards with Ctrl+R", () => {
    const state = press(at("draft|"), ["ctrl+r", "o"], opts);
    expect(state.text).toBe("two\nlines");
    expect(press(state, ["ctrl+r"], opts).text).toBe("one");
    expect(press(state, ["ctrl+r", "ctrl+r"], opts).search).toMatchObject({ query: "o", failed: true });
    expect(press(state, ["escape"], opts).text).toBe("draft");
    const taken = press(state, ["enter"], opts);
    expect([taken.text, taken.search]).toEqual(["two\nlines", undefined]);
    expect(press(taken, ["ctrl+_"], opts).text).toBe("draft");
    expect(shown(press(state, ["left"], opts))).toBe("two\nline|s");
  });
});
