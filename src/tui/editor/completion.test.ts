import { describe, expect, test } from "vitest";
import { keyOf } from "../../../test/support/tui-keys.ts";
import {
  acceptCompletion,
  completionAt,
  completionKey,
  followCompletion,
  isOpen,
  noCompletion,
  withItems,
  type Completion,
  type CompletionTarget,
} from "./completion.ts";
import { emptyEditor, insertPaste, insertText, setText, type EditorState } from "./state.ts";

function at(text: string): EditorState {
  return { ...setText(emptyEditor, text.replace("|", "")), cursor: text.indexOf("|") };
}

test.each<[string, CompletionTarget | undefined]>([
  ["|", undefined],
  ["/|", { kind: "slash", query: "", from: 0, to: 1 }],
  ["/mo|", { kind: "slash", query: "mo", from: 0, to: 3 }],
  ["/mo|del x", { kind: "slash", query: "mo", from: 0, to: 6 }],
  ["|/model", undefined],
  ["/model |", undefined],
  [" /mo|", undefined],
  ["a\n/mo|", undefined],
  ["/usr/b|", undefined],
  ["/us|r/bin", undefined],
  ["@|", { kind: "file", query: "", from: 0, to: 1 }],
  ["see @src/ma|in.ts ok", { kind: "file", query: "src/ma", from: 4, to: 16 }],
  ["see (@a|)", { kind: "file", query: "a", from: 5, to: 8 }],
  ["a\n@b|", { kind: "file", query: "b", from: 2, to: 4 }],
  ["me@home|", undefined],
  ["@a b|", undefined],
  ['@"a b|', { kind: "file", query: "a b", from: 0, to: 5 }],
  ['@"a |b" c', { kind: "file", query: "a ", from: 0, to: 6 }],
  ['@"a b"|', undefined],
  ["/model @a|", { kind: "file", query: "a", from: 7, to: 9 }],
])("%j", (text, expected) => {
  const { text: plain, cursor } = at(text);
  expect(completionAt(plain, cursor)).toEqual(expected);
});

test.each<[string, string, string]>([
  ["/mo|", "model", "/model |"],
  ["/mo| x", "model", "/model |x"],
  ["see @s| ok", "src/a.ts", "see @src/a.ts |ok"],
  ["@s|", "src/", "@src/|"],
  ["@s|", "my file.ts", '@"my file.ts" |'],
  ['@"my |f"', "my file.ts", '@"my file.ts" |'],
  ["@m|", "my folder/", '@"my folder/|'],
])("accepting in %j with %s gives %j", (text, value, expected) => {
  const state = at(text);
  const target = completionAt(state.text, state.cursor) as CompletionTarget;
  const next = acceptCompletion(state, target, { value });
  expect(`${next.text.slice(0, next.cursor)}|${next.text.slice(next.cursor)}`).toBe(expected);
  expect(next.undo.at(-1)?.text).toBe(state.text);
});

test("keeps a paste beside the completed word", () => {
  const state = insertText(insertPaste(emptyEditor, "x\n".repeat(9)), "@s");
  const target = completionAt(state.text, state.cursor) as CompletionTarget;
  expect(target).toMatchObject({ query: "s", from: 1 });
  expect(acceptCompletion(state, target, { value: "src/a.ts" }).marks).toEqual(state.marks);
});

describe("completion list", () => {
  const items = ["model", "models", "mode"].map((value) => ({ value }));
  const typed = at("/mo|");
  const open = (): Completion => {
    const followed = followCompletion(noCompletion, typed);
    return withItems(followed, followed.target as CompletionTarget, items);
  };
  const press = (completion: Completion, ...names: string[]): Completion =>
    names.reduce((now, name) => completionKey(now, keyOf(name)).completion, completion);

  test("opens with items, moves and wraps around", () => {
    expect(isOpen(followCompletion(noCompletion, typed))).toBe(false);
    expect([isOpen(open()), open().chosen]).toEqual([true, 0]);
    expect(press(open(), "down", "down").chosen).toBe(2);
    expect(press(open(), "down", "down", "down").chosen).toBe(0);
    expect(press(open(), "up").chosen).toBe(2);
    expect(press(open(), "pagedown").chosen).toBe(2);
    expect(press(open(), "pageup").chosen).toBe(0);
  });

  test.each(["tab", "enter"] as const)("accepts with %s", (by) => {
    const result = completionKey(press(open(), "down"), keyOf(by));
    expect(result).toMatchObject({ handled: true, accept: { item: { value: "models" }, by, complete: false } });
    expect(isOpen(result.completion)).toBe(false);
  });

  test("reports that the command was typed in full", () => {
    const followed = followCompletion(noCompletion, at("/mode|"));
    const complete = withItems(followed, followed.target as CompletionTarget, [{ value: "mode" }]);
    expect(completionKey(complete, keyOf("enter")).accept?.complete).toBe(true);
  });

  test("passes other keys to the editor, and every key while closed", () => {
    expect(completionKey(open(), keyOf("x")).handled).toBe(false);
    expect(completionKey(noCompletion, keyOf("enter")).handled).toBe(false);
  });

  test("stays closed after Esc until the cursor leaves the word", () => {
    const closed = press(open(), "escape");
    const still = followCompletion(closed, at("/mod|"));
    expect(still.target).toBeUndefined();
    const left = followCompletion(still, at("|"));
    expect(followCompletion(left, at("/m|")).target).toMatchObject({ query: "m" });
  });

  test("keeps the old items while typing until new ones arrive, and drops late ones", () => {
    const first = open();
    const next = followCompletion(first, at("/mod|"));
    expect(next.items).toBe(first.items);
    expect(withItems(next, first.target as CompletionTarget, [])).toBe(next);
    const found = withItems(next, next.target as CompletionTarget, items.slice(1));
    expect(found.items).toHaveLength(2);
  });

  test("keeps the item that the person moved to", () => {
    const moved = press(open(), "down");
    const more = withItems(moved, moved.target as CompletionTarget, [{ value: "mobile" }, ...items]);
    expect(more.items[more.chosen]?.value).toBe("models");
    const first = withItems(open(), open().target as CompletionTarget, [{ value: "mobile" }, ...items]);
    expect(first.chosen).toBe(0);
  });
});
