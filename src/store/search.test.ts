import { expect, test } from "vitest";
import { conversation, keep, testStore } from "../../test/support/store.ts";
import type { EventPayload } from "../events/types.ts";
import { excerptOf } from "./excerpt.ts";

const everything: EventPayload[] = [
  { type: "message.delta", messageId: "m0", text: "discardedword" },
  { type: "message.discarded", messageId: "m0", reason: "retry" },
  { type: "message.completed", messageId: "m1", text: "A spokenword, naïve" },
  { type: "thought.completed", messageId: "t1", text: "thoughtword" },
  {
    type: "tool.started",
    callId: "c",
    tool: "shell",
    nativeName: "Bash",
    kind: "execute",
    title: "Run titleword",
    input: {},
  },
  { type: "tool.completed", callId: "c", output: { text: "outputword", bytes: 10, kept: 10 } },
  { type: "file.changed", path: "src/fileword.ts", op: "create" },
];

test.each([
  ["promptword", "turn.started"],
  ["spokenword", "message.completed"],
  ["titleword", "tool.started"],
  ["outputword", "tool.completed"],
  ["fileword", "file.changed"],
  ["fileword.ts", "file.changed"],
  ["SPOKEN", "message.completed"],
  ["naive", "message.completed"],
])("%s is found in %s", (word, type) => {
  const { store } = testStore();
  keep(store, "ses_a", conversation("promptword", everything));
  expect(store.search(word)).toEqual([
    expect.objectContaining({ type, session: expect.objectContaining({ id: "ses_a" }) }),
  ]);
});

test.each(["discardedword", "thoughtword", "nowhere"])("%s is not found", (word) => {
  const { store } = testStore();
  keep(store, "ses_a", conversation("promptword", everything));
  expect(store.search(word)).toEqual([]);
});

test("all words must be there, whatever else is written between them", () => {
  const { store } = testStore();
  keep(store, "ses_a", conversation("alpha beta"));
  keep(store, "ses_b", conversation("alpha gamma"), { cwd: "/other" });
  expect(store.search('beta" OR alpha*')).toHaveLength(0);
  expect(store.search("alpha beta").map(({ session }) => session.id)).toEqual(["ses_a"]);
  expect(store.search("alpha").map(({ session }) => session.id)).toEqual(["ses_b", "ses_a"]);
  expect(store.search("alpha", { cwd: "/work" })).toHaveLength(1);
  expect(store.search("alpha", { agent: "nobody" })).toEqual([]);
  expect(store.search("alpha", { limit: 1 })).toHaveLength(1);
});

test("without a word it is refused", () => {
  const { store } = testStore();
  expect(() => store.search(' "*" ')).toThrow("There is no word to search for.");
});

test.each([
  ["short needle here", "short needle here"],
  [`${"a ".repeat(100)}needle${" b".repeat(100)}`, /^….*needle.*…$/],
  [`${"😀".repeat(60)} NEEDLE ${"😀".repeat(60)}`, /^…\p{Extended_Pictographic}+ NEEDLE \p{Extended_Pictographic}+…$/u],
])("an excerpt of %s", (text, expected) => {
  expect(excerptOf(text, ["needle"])).toMatch(expected);
});
