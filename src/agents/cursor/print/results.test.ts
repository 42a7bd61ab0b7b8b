import { expect, test } from "vitest";
import { endOf } from "../../shared/calls.ts";
import { planIn, resultOf } from "../../shared/cursor/results.ts";
import { oldCall } from "./calls.ts";
import { filesChanged, outcomeOf } from "./results.ts";
import { usageIn } from "./translate.ts";

test.for([
  [undefined, ""],
  ["as it is", "as it is"],
  [{}, ""],
  [{ success: {} }, ""],
  [{ success: "as it is" }, "as it is"],
  [{ success: { content: "one\n", path: "/w/a" } }, "one\n"],
  [{ success: { interleavedOutput: "a\nb", stdout: "a", stderr: "b" } }, "a\nb"],
  [{ success: { stdout: "a", stderr: "b" } }, "a\nb"],
  [{ success: { stdout: "", stderr: "", exitCode: 0 } }, ""],
  [{ success: { content: [{ text: { text: "a" } }, { type: "text", text: "b" }, { image: 1 }] } }, "a\nb"],
  [{ success: { files: ["./a", "./b"], totalFiles: 2 } }, "./a\n./b"],
  [{ success: { matches: 3 } }, '{"matches":3}'],
  // Without a kind the result itself is the output.
  [{ matches: 3 }, '{"matches":3}'],
  [{ failure: { exitCode: 2, stderr: "no" } }, "no"],
] as const)("reads %j as %j", ([result, text]) => {
  expect(endOf("c", outcomeOf(resultOf(result)))).toMatchObject({ type: "tool.completed", output: { text } });
});

test.for([
  [{ rejected: { reason: "" } }, "denied", "cannot ask anybody"],
  [{ rejected: { reason: "Hook blocked with message: nope" } }, "denied", "nope"],
  [{ permissionDenied: { command: "x", error: "not you" } }, "denied", "not you"],
  [{ timeout: { command: "x", timeoutMs: 5 } }, "timeout", "without a message"],
  [{ aborted: {} }, "cancelled", "without a message"],
  [{ error: "no such file" }, "error", "no such file"],
  [{ error: { errorMessage: "could not open" } }, "error", "could not open"],
  [{ error: { error: { message: "deeper" } } }, "error", "deeper"],
  [{ failure: {} }, "error", "without a message"],
  [{ fileNotFound: { path: "/w/a" } }, "error", "without a message"],
  [{ success: { content: [{ text: "it broke" }], isError: true } }, "error", "it broke"],
] as const)("classifies %j as %s: %s", ([result, reason, message]) => {
  expect(endOf("c", outcomeOf(resultOf(result)))).toMatchObject({
    type: "tool.failed",
    reason,
    error: { message: expect.stringContaining(message) },
  });
});

test("keeps the exit code of a command that succeeds or fails", () => {
  expect(endOf("c", { ...outcomeOf(resultOf({ success: { exitCode: 0, stdout: "" } })), durationMs: 5 })).toMatchObject(
    {
      exitCode: 0,
      durationMs: 5,
    },
  );
  expect(endOf("c", outcomeOf(resultOf({ failure: { exitCode: 2 } })))).toMatchObject({ exitCode: 2 });
});

const changed = (tool: "write" | "edit" | "delete" | "read", args: object, facts: object) =>
  filesChanged({ callId: "c", tool, args: { ...args }, facts: { ...facts } }, "/w")[0];

test.for([
  ["delete", { path: "/w/a" }, {}, { path: "a", op: "delete" }],
  ["write", {}, { path: "/w/a", diffString: "--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+x" }, { op: "create", added: 1 }],
  ["write", { filePath: "a" }, { linesCreated: 3, fileSize: 9 }, { path: "a", op: "create" }],
  ["edit", { file_path: "a" }, { beforeFullFileContent: "", afterFullFileContent: "x\n" }, { op: "modify", added: 1 }],
  ["edit", { path: "a" }, { beforeFullFileContent: "x\n", afterFullFileContent: "" }, { op: "modify" }],
  ["write", { path: "a" }, { afterFullFileContent: "x\n" }, { op: "create", added: 1 }],
  ["edit", {}, {}, undefined],
  ["read", { path: "a" }, {}, undefined],
] as const)("reports %s of %j with %j", ([tool, args, facts, event]) => {
  if (event === undefined) expect(changed(tool, args, facts)).toBeUndefined();
  else expect(changed(tool, args, facts)).toMatchObject({ type: "file.changed", callId: "c", ...event });
});

test.for([
  [{ todos: [{ content: "a" }] }, {}, [{ text: "a", status: "pending" }]],
  [{ todos: [{ content: "a" }], merge: true }, {}, undefined],
  [
    { todos: [{ content: "a" }], merge: true },
    { todos: [{ content: "b", status: "completed" }] },
    [{ text: "b", status: "completed" }],
  ],
  [{ todos: [{ status: "pending" }, 7] }, {}, []],
  [{ plan: "# A plan" }, {}, undefined],
] as const)("reads the plan of %j with %j", ([args, facts, entries]) => {
  expect(planIn(args, facts)).toEqual(entries === undefined ? [] : [{ type: "plan.updated", entries }]);
});

test.for([
  [
    { inputTokens: 1, outputTokens: 2 },
    { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 },
  ],
  [
    { inputTokens: "1", outputTokens: "2", cacheReadTokens: "3", cacheWriteTokens: "4" },
    { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
  ],
  [{ input_tokens: 1 }, { input: 1, output: 0, cacheRead: 0, cacheWrite: 0 }],
  [
    { output_tokens: 2, inputTokens: -1 },
    { input: 0, output: 2, cacheRead: 0, cacheWrite: 0 },
  ],
  [{ cache_read_tokens: 3 }, { input: 0, output: 0, cacheRead: 3, cacheWrite: 0 }],
  ["much", { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }],
] as const)("reads the usage %j as %j", ([usage, tokens]) => {
  expect(usageIn(usage)).toEqual(tokens);
});

test.for([
  [
    { tool: "shell", args: { command: "x" }, subtype: "started" },
    { nativeName: "shell", args: { command: "x" }, result: undefined },
  ],
  [
    { tool: { type: "shell", input: { command: "x" }, output: "y" } },
    { nativeName: "shell", args: { command: "x" }, result: "y" },
  ],
  [
    { tool_name: "shell", arguments: "x", subtype: "failed", result: "why" },
    { nativeName: "shell", args: undefined, result: { error: { message: "why" } } },
  ],
  [
    { tool: "shell", subtype: "error" },
    { nativeName: "shell", args: undefined, result: { error: { message: "" } } },
  ],
  [
    { tool: "shell", subtype: "completed", error: { message: "no" } },
    { nativeName: "shell", args: undefined, result: { error: { message: "no" } } },
  ],
  [
    { tool: "shell", subtype: "rejected", result: "not you" },
    { nativeName: "shell", args: undefined, result: { rejected: { reason: "not you" } } },
  ],
  [{ tool: {} }, undefined],
] as const)("reads the older %j as %j", ([message, call]) => {
  expect(oldCall(message)).toEqual(call);
});
