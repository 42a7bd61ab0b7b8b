import { describe, expect, test } from "vitest";
import { parse } from "./steps.ts";

describe("parse", () => {
  test.each([
    ["list", { do: "list" }],
    ["plan", { do: "plan" }],
    ["help", { do: "help" }],
    ["read src/app.ts", { do: "read", path: "src/app.ts" }],
    ['read "a b.txt"', { do: "read", path: "a b.txt" }],
    ["write a.txt hello there", { do: "write", path: "a.txt", text: "hello there" }],
    ["write a.txt one\ntwo", { do: "write", path: "a.txt", text: "one\ntwo" }],
    ['write a.txt "x; y"', { do: "write", path: "a.txt", text: "x; y" }],
    ["write a.txt", { do: "write", path: "a.txt", text: "" }],
    ["edit a.txt old words -> new words", { do: "edit", path: "a.txt", from: "old words", to: "new words" }],
    ["edit a.txt gone ->", { do: "edit", path: "a.txt", from: "gone", to: "" }],
    ['edit a.txt "a -> b" -> c', { do: "edit", path: "a.txt", from: "a -> b", to: "c" }],
    ["run npm test", { do: "run", command: "npm test" }],
    ["ask which colour?", { do: "ask", question: "which colour?" }],
    ["think hard", { do: "think", text: "hard" }],
    ["say hello", { do: "say", text: "hello" }],
    ["sleep 50", { do: "sleep", ms: 50 }],
    ["sleep 99999999999", { do: "sleep", ms: 2 ** 31 - 1 }],
    ["stream 1000", { do: "stream", count: 1000 }],
    ["big 70000", { do: "big", bytes: 70000 }],
    ["background 20", { do: "background", ms: 20 }],
    ["fail overloaded", { do: "fail", code: "overloaded" }],
    ["fail nonsense", { do: "fail", code: "nonsense" }],
    ["subagent read a", { do: "subagent", text: "read a", steps: [{ do: "read", path: "a" }] }],
    [
      'subagent "list; say hi"',
      { do: "subagent", text: "list; say hi", steps: [{ do: "list" }, { do: "say", text: "hi" }] },
    ],
  ])("parses %s", (text, step) => {
    expect(parse(text)).toEqual([step]);
  });

  test("parses several steps, one of them unknown", () => {
    expect(parse("list; dance; say done")).toEqual([
      { do: "list" },
      { do: "unknown", text: "dance" },
      { do: "say", text: "done" },
    ]);
  });

  test.each([
    "hello",
    "Fix the bug in login",
    "list all files",
    "plan the work",
    "read",
    "read a b",
    "sleep soon",
    "sleep -1",
    "fail",
    "edit a b",
    "subagent dance",
    "run",
    "",
    ";",
  ])("treats %s as no step", (text) => {
    expect(parse(text)).toBeUndefined();
  });
});
