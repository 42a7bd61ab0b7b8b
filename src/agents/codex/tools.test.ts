import { expect, test } from "vitest";
import { commandCall, filesChanged, itemCall, namedCall, proposedDiff, unwrapped } from "./tools.ts";
import { itemOutcome, toldOutcome } from "./translate-calls.ts";

test.for([
  ["/bin/bash -lc ls", "ls"],
  ["/bin/bash -lc 'echo hi > hello.txt'", "echo hi > hello.txt"],
  [`bash -lc 'echo '"'"'a b'"'"''`, "echo 'a b'"],
  [`/bin/zsh -lc "echo \\"hi\\""`, 'echo "hi"'],
  ["/bin/sh -c 'a' b", "/bin/sh -c 'a' b"],
  ["npm test", "npm test"],
  ["", ""],
])("unwraps %s to %s", ([wrapped, plain]) => {
  expect(unwrapped(wrapped!)).toBe(plain);
});

const command = (actions: readonly object[], line = "/bin/bash -lc 'cat /w/a.txt'") => ({
  type: "commandExecution",
  id: "c",
  command: line,
  cwd: "/w",
  commandActions: actions,
});

test.for([
  [[{ type: "read", path: "/w/a.txt" }], "read", "Read a.txt"],
  [[{ type: "listFiles", path: null }], "list", "List files"],
  [[{ type: "search", query: "hi", path: null }], "grep", "Search hi"],
  [[{ type: "unknown" }], "shell", "Run cat /w/a.txt"],
  [[{ type: "read", path: "/w/a.txt" }, { type: "unknown" }], "shell", "Run cat /w/a.txt"],
  [[], "shell", "Run cat /w/a.txt"],
] as const)("reports a command that does %j as %s", ([actions, tool, title]) => {
  expect(itemCall(command(actions), "/w")).toMatchObject({ tool, title, nativeName: "exec_command" });
});

test("asks about the command itself, even when it seems only to read", () => {
  expect(commandCall(command([{ type: "read", path: "/w/a.txt" }]), "/w")).toMatchObject({
    tool: "shell",
    title: "Run cat /w/a.txt",
    input: { command: "cat /w/a.txt", cwd: "/w" },
  });
});

const change = (path: string, type: string, diff: string, move_path: string | null = null) => ({
  path,
  kind: type === "update" ? { type, move_path } : { type },
  diff,
});
const patch = (...changes: readonly object[]) => ({ type: "fileChange", id: "p", changes, status: "completed" });

test.for([
  [[change("/w/a", "add", "x\n")], "write", "Write a"],
  [[change("/w/a", "update", "@@ -1 +1 @@\n-a\n+b\n")], "edit", "Edit a"],
  [[change("/w/a", "delete", "x\n")], "delete", "Delete a"],
  [[change("/w/a", "update", "", "/w/b")], "move", "Rename a → b"],
  [[change("/w/a", "add", "x\n"), change("/w/b", "delete", "")], "edit", "Edit a, b"],
  [[], "edit", "Edit a file"],
] as const)("reports a patch of %j as %s", ([changes, tool, title]) => {
  expect(itemCall(patch(...changes), "/w")).toMatchObject({ tool, title });
});

test("gives a patch a diff before and after it runs", () => {
  const item = patch(change("/w/a", "add", "x\n"), change("/elsewhere/b", "update", "@@ -1 +1 @@\n-a\n+b\n"));
  const [made, changed] = filesChanged(item, "p", undefined, "/w");
  expect(made).toMatchObject({ path: "a", op: "create", diff: "--- /dev/null\n+++ b/a\n@@ -0,0 +1,1 @@\n+x\n" });
  expect(changed).toMatchObject({ path: "/elsewhere/b", op: "modify", added: 1, removed: 1 });
  expect(proposedDiff(item, "/w")).toBe(made!.diff! + changed!.diff!);
  expect(proposedDiff(patch(), "/w")).toBeUndefined();
});

test("describes calls without an item by name", () => {
  const call = (name: string, input: object, namespace?: string) => namedCall({ name, namespace, input }, "/w");
  expect(call("exec_command", { cmd: "ls" })).toMatchObject({ tool: "shell", title: "Run ls" });
  expect(call("write_stdin", { chars: "" })).toMatchObject({ tool: "shell", title: "Wait for a command" });
  expect(call("add", { a: 1 }, "mcp__files")).toMatchObject({
    tool: "mcp",
    title: "files: add",
    nativeName: "mcp__files__add",
    mcp: { server: "files", tool: "add" },
  });
  expect(call("NoSuchTool", {})).toMatchObject({ tool: "other", title: "NoSuchTool" });
});

test.for([
  [{ status: "completed", exitCode: 0, aggregatedOutput: "hi\n" }, undefined],
  [
    { status: "failed", exitCode: 3, aggregatedOutput: "no\n" },
    { reason: "error", error: { message: "no", exitCode: 3 } },
  ],
  [{ status: "declined", exitCode: null, aggregatedOutput: null }, { reason: "denied" }],
] as const)("describes a command that ended with %j", ([item, failed]) => {
  const outcome = itemOutcome({ type: "commandExecution", ...item });
  if (failed === undefined) expect(outcome).toMatchObject({ output: { text: "hi\n", bytes: 3 }, exitCode: 0 });
  else expect(outcome.failed).toMatchObject(failed);
});

test("describes a tool of an MCP server", () => {
  const image = { type: "image", data: "aGk=", mimeType: "image/png" };
  const ok = { type: "mcpToolCall", status: "completed", result: { content: [{ type: "text", text: "5" }, image] } };
  expect(itemOutcome(ok)).toMatchObject({ output: { text: "5", content: [{ type: "image", bytes: 2 }] } });
  const error = { message: "user rejected MCP tool call" };
  expect(itemOutcome({ type: "mcpToolCall", status: "failed", result: null, error }).failed?.reason).toBe("denied");
});

test.for([
  [
    "exec_command",
    "Chunk ID: 1\nWall time: 0\nProcess exited with code 1\nOutput:\nno\n",
    { error: { message: "no", exitCode: 1 }, reason: "error" },
  ],
  ["exec_command", "Chunk ID: 1\nProcess exited with code 0\nOutput:\nyes\n", undefined],
  ["exec_command", "approval policy is Never; reject command — you cannot ask", { reason: "denied" }],
  ["apply_patch", "patch rejected by user", { reason: "denied" }],
  ["apply_patch", "apply_patch verification failed: no such line", { reason: "error" }],
  ["NoSuchTool", "unsupported call: NoSuchTool", { reason: "error" }],
  ["request_user_input", '{"answers":{}}', undefined],
] as const)("reads the outcome of %s from %j", ([name, told, failed]) => {
  const outcome = toldOutcome(name, told);
  if (failed === undefined) expect(outcome.failed).toBeUndefined();
  else expect(outcome.failed).toMatchObject(failed);
});
