import { expect, test } from "vitest";
import { calledName, nativeToolNames, toolCall } from "./tools.ts";

const naming = { cwd: "/w", servers: new Set(["files", "files_two", "my.web"]) };

test.each([
  ["bash", { command: "npm test", description: "x" }, "shell", "Run npm test"],
  ["read", { filePath: "/w/src/a.ts" }, "read", "Read src/a.ts"],
  ["write", { filePath: "/w/a.ts", content: "" }, "write", "Write a.ts"],
  ["edit", { filePath: "/w/a.ts" }, "edit", "Edit a.ts"],
  [
    "apply_patch",
    { patchText: "*** Begin Patch\n*** Add File: a.txt\n+x\n*** Delete File: b.txt\n*** End Patch" },
    "edit",
    "Edit a.txt, b.txt",
  ],
  ["grep", { pattern: "x" }, "grep", undefined],
  ["todowrite", { todos: [] }, "plan", undefined],
  ["task", { description: "Look around" }, "task", undefined],
  ["webfetch", { url: "http://a/b" }, "web_fetch", undefined],
  ["question", { questions: [{ question: "Why?" }] }, "question", undefined],
  ["files_read", {}, "mcp", undefined],
  ["whatever", { description: "Something" }, "other", undefined],
])("describes %s of %j as %s", (name, input, tool, title) => {
  const call = toolCall(name, input, naming);
  expect(call).toMatchObject({ tool, nativeName: name });
  if (title !== undefined) expect(call.title).toBe(title);
});

test("reports the locations of a call about files", () => {
  expect(toolCall("read", { filePath: "/w/a.ts", offset: 7 }, naming).locations).toEqual([{ path: "a.ts", line: 7 }]);
  expect(toolCall("write", { filePath: "/elsewhere/a.ts" }, naming).locations).toEqual([{ path: "/elsewhere/a.ts" }]);
  const patch = "*** Update File: a.txt\n*** Move to: c.txt\n";
  expect(toolCall("apply_patch", { patchText: patch }, naming).locations).toEqual([
    { path: "a.txt" },
    { path: "c.txt" },
  ]);
  expect(toolCall("bash", { command: "x" }, naming).locations).toBeUndefined();
});

test.each([
  ["files_read", { server: "files", tool: "read" }],
  ["files_two_read", { server: "files_two", tool: "read" }],
  ["my_web_get", { server: "my.web", tool: "get" }],
  ["nobody_get", undefined],
  ["read", undefined],
])("recognizes %s as a tool of %j", (name, mcp) => expect(toolCall(name, {}, naming).mcp).toEqual(mcp));

test("maps names in both directions", () => {
  expect(calledName("invalid", { tool: "NoSuchTool" })).toBe("NoSuchTool");
  expect(calledName("bash", { tool: "x" })).toBe("bash");
  expect(nativeToolNames("shell")).toEqual(["bash"]);
  expect(nativeToolNames("edit")).toEqual(["edit", "multiedit", "apply_patch"]);
  expect(nativeToolNames("files_read")).toEqual(["files_read"]);
});
