import { describe, expect, test } from "vitest";
import type { ReinsEvent } from "../../events/types.ts";
import type { PermissionItem, QuestionItem } from "../../view/model.ts";
import { sideBySide } from "../../view/side-by-side.ts";
import { dollars, timeLeft, tokens } from "../format/format.ts";
import { announcementOf, waitingWords } from "./announcements.ts";
import { diffLines } from "./diff-view.tsx";
import { attachmentName } from "./item-view.tsx";
import { headOf } from "./row-parts.tsx";

describe("headOf", () => {
  const lines = (count: number): string => Array.from({ length: count }, (_, at) => `line ${at}`).join("\n");

  test("returns the whole text when little would be left", () => {
    expect(headOf(lines(27))).toEqual({ head: lines(27), hidden: 0 });
    expect(headOf("one\n\n\n")).toEqual({ head: "one", hidden: 0 });
  });
  test("returns the first lines and counts the rest", () => {
    expect(headOf(lines(100))).toEqual({ head: lines(24), hidden: 76 });
    expect(headOf(lines(20), 5)).toEqual({ head: lines(5), hidden: 15 });
  });
  test("cuts a very long line", () => {
    const { head, hidden } = headOf("x".repeat(1_000_000));
    expect(head.length).toBeLessThan(6_100);
    expect(hidden).toBe(1);
  });
});

test("shows the name of an attachment, or its type when only the upload name is known", () => {
  const id = `upl_${"0a".repeat(12)}`;
  expect([`${id}.png`, id, "notes.txt", "upl_me.txt", `${id} b.png`].map(attachmentName)).toEqual([
    "attachment.png",
    "attachment",
    "notes.txt",
    "upl_me.txt",
    `${id} b.png`,
  ]);
});

test("puts removed lines before added lines in one column", () => {
  const rows = sideBySide("--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n one\n-two\n-three\n+2\n+3\n");
  expect(diffLines(rows)).toEqual([
    { kind: "same", text: "one", before: 1, after: 1 },
    { kind: "removed", text: "two", before: 2 },
    { kind: "removed", text: "three", before: 3 },
    { kind: "added", text: "2", after: 2 },
    { kind: "added", text: "3", after: 3 },
  ]);
});

test.each([
  [tokens, 0, "0"],
  [tokens, 999, "999"],
  [tokens, 1_234, "1.2k"],
  [tokens, 45_600, "46k"],
  [tokens, 999_700, "1.0M"],
  [dollars, 0, "$0"],
  [dollars, 0.01234, "$0.0123"],
  [dollars, 2.5, "$2.50"],
  [timeLeft, 125_000, "2:05"],
  [timeLeft, -5, "0:00"],
  [timeLeft, 4_200_000, "1 h 10 min"],
])("%o of %d is %s", (write, amount, words) => expect(write(amount)).toBe(words));

describe("announcements", () => {
  const said = (event: object): string | undefined => announcementOf(event as ReinsEvent);
  test("read a whole message, shortened, and none of a subagent", () => {
    expect(said({ type: "message.completed", messageId: "m", text: "Hello" })).toBe("Hello");
    expect(said({ type: "message.completed", messageId: "m", text: "x".repeat(1_000) })).toHaveLength(402);
    expect(said({ type: "message.completed", messageId: "m", text: "Hello", parent: "c" })).toBeUndefined();
  });
  test("read requests and failed turns, but no deltas", () => {
    expect(said({ type: "permission.requested", title: "Edit a" })).toContain("Edit a");
    expect(said({ type: "question.requested", questions: [{ text: "Which?" }] })).toContain("Which?");
    const end = { type: "turn.completed", durationMs: 1, toolCalls: 0, filesChanged: [] };
    expect(said({ ...end, outcome: "cancelled" })).toContain("cancelled");
    expect(said({ ...end, outcome: "done" })).toBeUndefined();
    expect(said({ type: "message.delta", messageId: "m", text: "a" })).toBeUndefined();
  });
});

test("announces the first pending request and counts the others", () => {
  const permission = { kind: "permission", title: "Edit a.ts" } as PermissionItem;
  const question = { kind: "question", questions: [{ text: "Which?" }] } as unknown as QuestionItem;
  expect(waitingWords([])).toBeUndefined();
  expect(waitingWords([question])).toBe("Question: Which? Press Alt A to answer.");
  expect(waitingWords([permission, question])).toBe(
    "Waiting for approval: Edit a.ts. Press Alt A to answer. 1 more waiting.",
  );
});
