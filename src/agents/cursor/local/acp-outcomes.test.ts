import { expect, test } from "vitest";
import { plainDiffs, undone } from "./acp-outcomes.ts";

test.each([
  [{ rejected: true }, { message: "It was not allowed.", reason: "denied" }],
  [{ rejected: { reason: "On the list." } }, { message: "On the list.", reason: "denied" }],
  [{ permissionDenied: { error: "Outside." } }, { message: "Outside.", reason: "denied" }],
  [{ error: "No such file." }, { message: "No such file.", reason: "error" }],
  [{ error: { message: "No such file." } }, { message: "No such file.", reason: "error" }],
  [{ error: {} }, { message: "It failed.", reason: "error" }],
  [{ exitCode: 1, stdout: "", stderr: "x" }, undefined],
  [{ rejected: false, error: "" }, undefined],
])("%j", (rawOutput, expected) => {
  expect(undone(rawOutput)).toEqual(expected);
});

test("the head of a patch is no part of a file, and only a patch has both halves", () => {
  const diff = (oldText: unknown, newText: unknown) => ({ type: "diff", path: "/w/a", oldText, newText });
  expect(
    plainDiffs([
      diff("-- /dev/null", "++ b//w/a\nhello"),
      diff("-- a//w/a\none\n", "++ b//w/a\ntwo\n"),
      diff("-- a//w/a\none", "++ /dev/null"),
      diff("-- a comment\n", "++ b/ two\n"),
      diff(null, "++ b/a\n"),
      { type: "content" },
    ]),
  ).toEqual([
    diff(undefined, "hello"),
    diff("one\n", "two\n"),
    diff("one", ""),
    diff("-- a comment\n", "++ b/ two\n"),
    diff(null, "++ b/a\n"),
    { type: "content" },
  ]);
});
