import { expect, test } from "vitest";
import { acpCall } from "../../../test/support/acp-call.ts";
import { parentOf } from "./translate.ts";
import { toolOfCall, withoutShellMark } from "./tools.ts";

test.each([
  ["Creating /w/a.txt", { path: "/w/a.txt", file_text: "x" }, "write", "create", { path: "/w/a.txt" }],
  ["Create file", { fileName: "/w/a.txt", diff: "..." }, "write", "create", { path: "/w/a.txt" }],
  ["Editing /w/a.txt", { path: "/w/a.txt", old_str: "a" }, "edit", "edit", { path: "/w/a.txt" }],
  ["Edit file", { fileName: "/w/a.txt" }, "edit", "edit", { path: "/w/a.txt" }],
  ["Viewing /w/a.txt", { path: "/w/a.txt" }, "read", "view", { path: "/w/a.txt" }],
  ["Viewing file", {}, "read", "view", {}],
  ["Searching for 'foo'", { pattern: "foo" }, "grep", "grep", { pattern: "foo" }],
  ["Finding files matching *.ts", { pattern: "*.ts" }, "glob", "glob", { pattern: "*.ts" }],
  ["say hi", { command: "echo hi", description: "say hi" }, "shell", "bash", { command: "echo hi" }],
  ["Look around", { agent_type: "explore", prompt: "x", description: "Look around" }, "task", "task", {}],
  ["Reading shell output", { shellId: "2" }, "other", "read_bash", {}],
  ["list_agents", {}, "other", "list_agents", {}],
  ["NoSuchTool", { x: 1 }, "other", "NoSuchTool", {}],
  ["toy-say_it", { text: "hi" }, "mcp", "toy-say_it", { server: "toy", name: "say_it" }],
  ["my-toy-do-it", {}, "mcp", "my-toy-do-it", { server: "my-toy", name: "do-it" }],
])("recognizes %s", (title, input, tool, nativeName, canonical) => {
  expect(toolOfCall(acpCall({ title, input }), ["my", "my-toy"])).toMatchObject({ tool, nativeName, input: canonical });
});

test("prefers the announcement of a call to the words of its permission", () => {
  const asked = acpCall({ announced: "toy-say_it", title: "say_it", input: { text: "hi" } });
  expect(toolOfCall(asked, ["toy"])).toMatchObject({ tool: "mcp", mcp: { server: "toy", tool: "say_it" } });
});

test("recognizes nothing from a title of plain words", () => {
  expect(toolOfCall(acpCall({ title: "List todos", input: { query: "SELECT 1" } }), [])).toBeUndefined();
});

test.each([
  ["hi\n<shellId: 0 completed with exit code 0>", "hi"],
  ["<shellId: 12 completed with exit code -1>\n", ""],
  ["<shellId: 0 completed> is text", "<shellId: 0 completed> is text"],
])("removes the mark from %j: %j", (output, plain) => {
  expect(withoutShellMark(output)).toBe(plain);
});

const mark = { "github.com/copilot": { agentId: "a" } };
const task = acpCall({ id: "t", input: { agent_type: "task", mode: "sync" } });
const text = { sessionUpdate: "agent_message_chunk" };
const started = { sessionUpdate: "tool_call", toolCallId: "x" };
test.each([
  ["a message without a subagent", text, [], undefined],
  ["a message while it waits for a subagent", text, [task], "t"],
  ["a message while it waits for something else", text, [acpCall({ id: "s", input: { command: "x" } })], undefined],
  [
    "a message beside a background subagent",
    text,
    [acpCall({ input: { agent_type: "task", mode: "background" } })],
    undefined,
  ],
  ["its own call beside a subagent", started, [task], undefined],
  ["a subagent's call", { ...started, _meta: mark }, [task], "t"],
  ["a subagent's own subagent", text, [task, acpCall({ id: "u", input: { agent_type: "task" }, meta: mark })], "t"],
])("finds the parent of %s", (_, update, open, parent) => {
  expect(parentOf(update, open)).toBe(parent);
});
