import { describe, expect, test } from "vitest";
import { fc } from "../../../test/support/fast-check.ts";
import { keyOf } from "../../../test/support/tui-keys.ts";
import { graphemes } from "../../events/columns.ts";
import { before, boundary } from "./graphemes.ts";
import { EditorHistory } from "./history.ts";
import { editKey, type EditorOptions } from "./keys.ts";
import { editorText, emptyEditor, insertPaste, type EditorState } from "./state.ts";

const characters = [
  ...[
    "a",
    "B",
    " ",
    ".",
    "漢",
    "👩‍👩‍👧‍👦",
    "🇩",
    "🇪",
    "🇩🇪",
    "❤",
    "\ufe0f",
    "\u200d",
    "\u0301",
    "e",
    "ש",
    "\u05b8",
    "ก",
    "\u0e33",
    "\u0e49",
  ],
  ...["\u1112", "\u1161", "\u11ab", "👍", "🏽", "\ufffc", "\u0600", "\ud83d", "\\"],
];
const names = [
  ...["left", "right", "up", "down", "home", "end", "ctrl+left", "ctrl+right", "ctrl+home", "ctrl+end"],
  ...["backspace", "delete", "ctrl+w", "alt+backspace", "alt+d", "ctrl+u", "ctrl+k", "ctrl+y", "alt+y"],
  ...["ctrl+_", "alt+_", "shift+enter", "enter", "ctrl+o", "ctrl+r", "escape", "tab"],
];
const pastes = ["x", "\r", "\n", "tab\there", "long\r\n".repeat(5), "é\t".repeat(300), "\u0301", "\u200d"];

type Step = { readonly key: string } | { readonly paste: string };

const anyStep = fc.oneof<fc.Arbitrary<Step>[]>(
  fc.constantFrom(...characters).map((key) => ({ key })),
  fc.constantFrom(...names).map((key) => ({ key })),
  fc.constantFrom(...pastes).map((paste) => ({ paste })),
);
const anySteps = fc.array(anyStep, { maxLength: 60 });

function take(state: EditorState, step: Step, options: EditorOptions): EditorState {
  return "paste" in step ? insertPaste(state, step.paste) : editKey(state, keyOf(step.key), options).state;
}

/** All boundaries, found by segmenting the text between marks. */
function boundaries({ text, marks }: EditorState): Set<number> {
  const found = new Set([0, text.length]);
  let from = 0;
  for (const at of [...marks.map((mark) => mark.at), text.length]) {
    for (const { index } of graphemes(text.slice(from, at))) found.add(from + index);
    found.add(at);
    from = at + 1;
    if (from <= text.length) found.add(from);
  }
  return found;
}

const history = (): EditorHistory => new EditorHistory(["one", "two\nlines", "e\u0301"]);

describe.each([
  ["emacs keys", false],
  ["vi keys", true],
])("with %s", (_, vi) => {
  const keys = vi ? Array.from("hjklwbe0$^gGxdcyDCiaIAoOpPurs123").map((key) => ({ key })) : [];
  const steps = vi
    ? fc.array(fc.oneof(anyStep, fc.constantFrom<Step>({ key: "escape" }, ...keys)), { maxLength: 60 })
    : anySteps;

  test("keeps the cursor on a boundary, and marks on their character", () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 20 }), (all, width) => {
        const options = { width, vi, history: history() };
        all.reduce((state, step) => {
          const next = take(state, step, options);
          expect(boundaries(next).has(next.cursor)).toBe(true);
          expect(next.marks.every(({ at }) => next.text.charAt(at) === "\ufffc")).toBe(true);
          return next;
        }, emptyEditor);
      }),
    );
  });

  test("undoes everything back to the start, and redoes everything to the end", () => {
    fc.assert(
      fc.property(steps, (all) => {
        const options = { width: 20, vi };
        const end = all.reduce((state, step) => take(state, step, options), emptyEditor);
        const insert = { ...end, mode: "insert", search: undefined, redo: [] } as const;
        const press = (state: EditorState, key: string): EditorState => editKey(state, keyOf(key), { width: 20 }).state;
        let undone: EditorState = insert;
        for (let left = insert.undo.length; left > 0; left--) undone = press(undone, "ctrl+_");
        expect([undone.text, undone.marks]).toEqual(["", []]);
        for (let left = insert.undo.length; left > 0; left--) undone = press(undone, "alt+_");
        expect(editorText(undone)).toBe(editorText(end));
      }),
    );
  });
});

test("submits typed and pasted text byte for byte", () => {
  const typed = fc.constantFrom(...characters).map((key): Step => ({ key }));
  const pasted = fc.oneof(fc.constantFrom(...pastes), fc.string({ unit: "binary", maxLength: 900 }));
  const inputs = fc.array(
    fc.oneof(
      typed,
      pasted.map((paste): Step => ({ paste })),
    ),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(inputs, (all) => {
      // Make each paste differ from the one before: pasting the same text again would open the mark.
      const steps = all.map((step, index) => ("paste" in step ? { paste: `${step.paste}${index}` } : step));
      const state = steps.reduce<EditorState>((now, step) => take(now, step, { width: 20 }), emptyEditor);
      expect(editorText(state)).toBe(steps.map((step) => ("paste" in step ? step.paste : step.key)).join(""));
    }),
  );
});

test("keeps the text when something is inserted anywhere and deleted again", () => {
  fc.assert(
    fc.property(anySteps, fc.nat(), fc.constantFrom("x", "漢", "👩‍👩‍👧‍👦", "long\n".repeat(9)), (all, at, inserted) => {
      const made = all.reduce((state, step) => take(state, step, { width: 20 }), emptyEditor);
      const state = { ...made, search: undefined, cursor: boundary(made, at % (made.text.length + 1)) };
      const next = insertPaste(state, inserted);
      const gone = editKey(next, keyOf("ctrl+_"), { width: 20 }).state;
      expect([gone.text, gone.marks, gone.cursor]).toEqual([state.text, state.marks, state.cursor]);
      // Backspace gives the same result, unless the inserted character joined a neighbour.
      const alone =
        before(next, next.cursor) === state.cursor &&
        next.cursor === state.cursor + next.text.length - state.text.length;
      const erased = alone ? editKey(next, keyOf("backspace"), { width: 20 }).state.text : state.text;
      expect(erased).toBe(state.text);
    }),
  );
});
