import { describe, expect, test } from "vitest";
import type { ToolItem } from "../../view/model.ts";
import { inputText, saidByTitle, tailOf, toolTone, toolWords } from "./tool-row.tsx";

const tool = (more: Partial<ToolItem>): ToolItem => ({
  kind: "tool",
  callId: "c",
  tool: "shell",
  nativeName: "run",
  toolKind: "execute",
  title: "Run",
  input: {},
  status: "completed",
  progress: "",
  files: [],
  items: [],
  ...more,
});
const output = { text: "a\nb\n", bytes: 4, kept: 4 };

describe("outcome of a call", () => {
  test.each([
    [{ status: "running" } as const, "running", ""],
    [{ output, durationMs: 1_500 }, "good", "2 lines · 1.5 s"],
    [{ output, durationMs: 20, exitCode: 0 }, "good", "2 lines"],
    [{ output, exitCode: 3 }, "bad", "exit code 3 · 2 lines"],
    [{ status: "failed", reason: "denied", error: { message: "Not here." } } as const, "bad", "denied: Not here."],
  ])("%j", (more, tone, words) => {
    expect(toolTone(tool(more))).toBe(tone);
    expect(toolWords(tool(more))).toBe(words);
  });
});

test("shows the input of a tool as a command, as fields, or not at all", () => {
  expect(inputText({ command: "ls -la", cwd: "." })).toEqual({ kind: "command", text: "ls -la" });
  expect(inputText({ path: "a", line: 1 })).toEqual({ kind: "fields", text: '{\n  "path": "a",\n  "line": 1\n}' });
  expect(inputText({ prompt: "look\naround" })).toEqual({ kind: "fields", text: "look\naround" });
  expect(inputText("words")).toEqual({ kind: "fields", text: "words" });
  for (const nothing of [undefined, null, {}, ""]) expect(inputText(nothing)).toBeUndefined();
});

test("tail returns the last lines", () => expect(tailOf("a\nb\nc\n\n", 2)).toBe("b\nc"));

test("names a file once: in the tool row or in the change", () => {
  const change = { path: "/work/src/a.ts", op: "modify" as const, oldPath: undefined, diff: "x", added: 1, removed: 0 };
  expect(saidByTitle({ title: "Edit src/a.ts", files: [change] }, change)).toBe(true);
  expect(saidByTitle({ title: "Run sed", files: [change] }, change)).toBe(false);
  expect(saidByTitle({ title: "Edit src/a.ts", files: [change, change] }, change)).toBe(false);
  const moved = { ...change, oldPath: "/work/src/b.ts" };
  expect(saidByTitle({ title: "Move to a.ts", files: [moved] }, moved)).toBe(false);
});
