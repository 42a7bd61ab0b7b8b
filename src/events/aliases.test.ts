import { fc } from "../../test/support/fast-check.ts";
import { describe, expect, it } from "vitest";
import { toolForName } from "./aliases.ts";
import { canonicalInput } from "./canonical-input.ts";
import { titleOf } from "./titles.ts";
import { type CanonicalInput, type Tool, tools } from "./tools.ts";

describe("toolForName", () => {
  it.each<[string, Tool]>([
    ["Read", "read"],
    ["read_file", "read"],
    ["readFile", "read"],
    ["functions.read_file", "read"],
    ["apply-patch", "edit"],
    ["run_shell_command", "shell"],
    ["BashTool", "shell"],
    ["bash_tool", "shell"],
    ["WebSearch", "web_search"],
    ["mcp__files__read", "mcp"],
    ["mcp:files/read", "mcp"],
    ["frobnicate", "other"],
    ["constructor", "other"],
    ["toString", "other"],
    ["", "other"],
  ])("%s is %s", (name, tool) => expect(toolForName(name)).toBe(tool));

  it("maps every canonical name to itself", () => {
    for (const tool of tools) expect(toolForName(tool)).toBe(tool);
  });
});

describe("canonicalInput", () => {
  it.each<[Tool, unknown, CanonicalInput]>([
    ["read", { file_path: "a" }, { path: "a" }],
    ["read", { filePath: "", path: "a" }, { path: "a" }],
    ["read", '{"path": "a"}', { path: "a" }],
    ["read", "a.ts", { path: "a.ts" }],
    ["read", "{broken", { path: "{broken" }],
    ["edit", { path: "a", from: "x", to: "y" }, { path: "a" }],
    ["edit", { edits: [{ filePath: "a" }, { filePath: "b" }, { other: 1 }, null, 3] }, { paths: ["a", "b"] }],
    ["edit", { changes: { "a.ts": {}, "b.ts": {} } }, { paths: ["a.ts", "b.ts"] }],
    [
      "edit",
      { input: "*** Begin Patch\n*** Add File: a\n+x\n*** Update File: b\n*** End Patch" },
      { paths: ["a", "b"] },
    ],
    ["edit", { diff: "--- a/x\n+++ b/x\n@@" }, { paths: ["x"] }],
    ["edit", { patchText: "*** Begin Patch\n*** Update File: a\n*** Move to: b \r\n" }, { paths: ["a", "b"] }],
    ["edit", "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch", { paths: ["a"] }],
    ["edit", { patch: "--- a/x\n+++ /dev/null\n@@\n--- y\t2026\n+++ z\t2026\n@@" }, { paths: ["x", "y", "z"] }],
    ["edit", { diff: "diff --git a/x b/y\nrename from x\nrename to y\n" }, { paths: ["x", "y"] }],
    ["edit", { changes: { a: { type: "update", move_path: "b" } } }, { paths: ["a", "b"] }],
    ["edit", { changes: [{ path: "a", kind: { type: "update", move_path: "b" } }] }, { paths: ["a", "b"] }],
    ["move", { source: "a", destination: "b" }, { path: "a", to: "b" }],
    ["shell", { cmd: "ls" }, { command: "ls" }],
    ["shell", { command: ["bash", "-lc", "npm test"] }, { command: "npm test" }],
    ["shell", ["git", "status"], { command: "git status" }],
    ["shell", { command: [1, null] }, {}],
    ["grep", { query: "x", dir: "src" }, { pattern: "x", path: "src" }],
    ["web_search", { queries: ["a", "b"] }, { query: "a" }],
    ["web_fetch", { url: "https://x" }, { url: "https://x" }],
    ["question", { questions: [{ question: "Which?" }] }, { description: "Which?" }],
    ["mcp", { server_name: "s", tool_name: "t" }, { server: "s", name: "t" }],
    ["other", { a: 1 }, {}],
    ["other", null, {}],
    ["read", { path: 7 }, {}],
  ])("%s of %j", (tool, given, expected) => expect(canonicalInput(tool, given)).toEqual(expected));

  it("accepts any JSON and gives an input that has a title", () => {
    const key = fc.constantFrom("path", "files", "command", "edits", "questions", "input", "__proto__");
    const odd = fc.dictionary(key, fc.jsonValue());
    fc.assert(
      fc.property(fc.constantFrom(...tools), fc.oneof(fc.jsonValue(), odd), (tool, given) => {
        expect(titleOf(tool, canonicalInput(tool, given), { cwd: "/", nativeName: "x" })).not.toBe("");
      }),
    );
  });
});
