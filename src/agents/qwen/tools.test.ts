import { expect, test } from "vitest";
import { canonicalTool, nativeToolNames, outcomeOf, toolCall } from "./tools.ts";

test.for([
  ["run_shell_command", { command: "npm test" }, "shell", "execute", "Run npm test"],
  ["write_file", { file_path: "/w/src/a.ts", content: "" }, "write", "edit", "Write src/a.ts"],
  ["edit", { file_path: "/w/a.ts" }, "edit", "edit", "Edit a.ts"],
  ["read_file", { file_path: "/w/a.ts" }, "read", "read", "Read a.ts"],
  ["agent", { description: "Look around" }, "task", "think", "Task: Look around"],
  ["mcp__files__look", {}, "mcp", "other", "files: look"],
] as const)("describes %s", ([name, input, tool, kind, title]) => {
  expect(toolCall(name, input, "/w")).toMatchObject({ tool, kind, title, nativeName: name });
});

test("unwraps a call made through another tool", () => {
  const input = { name: "write_file", arguments: { file_path: "/w/a" } };
  expect(toolCall("tool_call", input, "/w")).toMatchObject({
    tool: "write",
    nativeName: "write_file",
    title: "Write a",
  });
  expect(toolCall("tool_call", {}, "/w")).toMatchObject({ tool: "other", nativeName: "tool_call" });
});

test("counts lines from zero", () => {
  expect(toolCall("read_file", { file_path: "/w/a", offset: 0 }, "/w").locations).toEqual([{ path: "a", line: 1 }]);
  expect(toolCall("read_file", { file_path: "/w/a" }, "/w").locations).toEqual([{ path: "a" }]);
});

test("treats an unknown tool as able to do anything", () => {
  expect(canonicalTool("brand_new")).toBe("other");
});

test("translates a filter in canonical or native names", () => {
  expect(nativeToolNames("write")).toEqual(["write_file"]);
  expect(nativeToolNames("shell(git *)")).toContain("run_shell_command(git *)");
  expect(nativeToolNames("mcp")).toEqual(["mcp__*"]);
  expect(nativeToolNames("Bash(ls)")).toEqual(["Bash(ls)"]);
});

const ended = (content: unknown, is_error = true) => outcomeOf({ block: { content, is_error }, stopped: undefined });

test.for([
  ["[Operation Cancelled] Reason: User cancelled.", "cancelled", "User cancelled."],
  ["Tool call cancelled by user", "cancelled", "Tool call cancelled by user"],
  ['Tool blocked by plan mode: "write_file" is not a read-only tool.', "denied", undefined],
  ["Command timed out after 5ms", "timeout", undefined],
  ["It broke.", "error", "It broke."],
  ["", "error", "The tool failed without a message."],
] as const)("classifies the failure %j as %s", ([said, reason, message]) => {
  expect(ended(said).failed).toMatchObject({ reason, error: { message: message ?? said } });
});

test("prefers the known reason why a call did not run to its text", () => {
  expect(outcomeOf({ block: { content: "It broke.", is_error: true }, stopped: "denied" }).failed?.reason).toBe(
    "denied",
  );
});

test("reports a failed command with its output and exit code", () => {
  const said = "Command: false\nDirectory: (root)\nOutput: out\nError: err\nExit Code: 3\nSignal: (none)";
  expect(ended(said)).toMatchObject({ output: { text: "out\nerr" }, failed: { error: { exitCode: 3 } } });
  expect(ended(said.replace("out", "(empty)").replace("err", "(none)"), false).output.text).toBe("");
});

test("reports the signal that ended a command without output", () => {
  const said =
    "Command: touch x\nDirectory: (root)\nOutput: (empty)\nError: (none)\nExit Code: 0\nSignal: 1\nProcess Group PGID: 7";
  const message = "The command was ended by signal 1.";
  expect(ended(said).failed).toMatchObject({ reason: "error", error: { message, exitCode: 0 } });
  expect(ended(said.replace("(empty)", "out")).failed?.error.message).toBe("out");
});

test("reads content in parts", () => {
  expect(ended([{ type: "text", text: "a" }, { type: "image" }, { type: "text", text: "b" }], false).output.text).toBe(
    "a\nb",
  );
});
