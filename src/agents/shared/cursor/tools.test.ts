import { expect, test } from "vitest";
import { cursorCall, cursorTool, editTool } from "./tools.ts";

test.for([
  ["readToolCall", "read"],
  ["Read", "read"],
  ["read_file", "read"],
  ["readLintsToolCall", "read"],
  ["writeToolCall", "write"],
  ["Write", "write"],
  ["editToolCall", "edit"],
  ["search_replace", "edit"],
  ["deleteToolCall", "delete"],
  ["lsToolCall", "list"],
  ["globToolCall", "glob"],
  ["grepToolCall", "grep"],
  ["semSearchToolCall", "grep"],
  ["shellToolCall", "shell"],
  ["Shell", "shell"],
  ["run_terminal_cmd", "shell"],
  ["webFetchToolCall", "web_fetch"],
  ["webSearchToolCall", "web_search"],
  ["updateTodosToolCall", "plan"],
  ["createPlanToolCall", "plan"],
  ["taskToolCall", "task"],
  ["askQuestionToolCall", "question"],
  ["mcpToolCall", "mcp"],
  ["getMcpToolsToolCall", "mcp"],
  ["MCP:get_board", "mcp"],
  ["generateImageToolCall", "image"],
  ["switchModeToolCall", "mode"],
  ["somethingNewToolCall", "other"],
  ["ToolCall", "other"],
  ["", "other"],
] as const)("maps %s to %s", ([name, tool]) => {
  expect(cursorTool(name)).toBe(tool);
});

test.for([
  ["readToolCall", { path: "/w/src/a.ts" }, "Read src/a.ts"],
  ["shellToolCall", { command: "npm test", workingDirectory: "", simpleCommands: ["npm"] }, "Run npm test"],
  ["globToolCall", { globPattern: "**/*.ts", targetDirectory: "/w/src" }, "Find **/*.ts in src"],
  ["grepToolCall", { pattern: "needle", path: "/w/src" }, "Search needle in src"],
  ["lsToolCall", { targetDirectory: "/w/src" }, "List src"],
  ["mcpToolCall", { name: "s-add", args: {}, providerIdentifier: "s", toolName: "add" }, "s: add"],
  ["MCP:add", {}, "mcp: add"],
  ["askQuestionToolCall", { questions: [{ prompt: "Which one?" }] }, "Ask: Which one?"],
  ["createPlanToolCall", { name: "Rivers", plan: "# Long" }, "Plan: Rivers"],
  ["taskToolCall", { description: "Look around", prompt: "..." }, "Task: Look around"],
  ["somethingNewToolCall", { description: "New" }, "somethingNew: New"],
] as const)("titles %s with %j “%s”", ([name, args, title]) => {
  expect(cursorCall(name, args, "/w").title).toBe(title);
});

test("leaves out the fields that the program adds to the input", () => {
  const { input, locations, nativeName } = cursorCall(
    "readToolCall",
    { path: "/w/a", toolCallId: "x", offset: 3 },
    "/w",
  );
  expect({ input, locations, nativeName }).toEqual({
    input: { path: "/w/a", offset: 3 },
    locations: [{ path: "a" }],
    nativeName: "read",
  });
});

test("distinguishes writing from editing although hooks have one name for both", () => {
  expect(cursorCall("Write", { file_path: "/w/a", contents: "x" }, "/w").title).toBe("Write a");
  expect(cursorCall("Write", { file_path: "/w/a", old_string: "x", new_string: "y" }, "/w").title).toBe("Edit a");
});

test("names the server of an MCP tool", () => {
  expect(cursorCall("mcpToolCall", { serverIdentifier: "s", name: "add" }, "/w").mcp).toEqual({
    server: "s",
    tool: "add",
  });
  expect(cursorCall("mcpToolCall", {}, "/w").mcp).toBeUndefined();
  expect(cursorCall("readToolCall", { server: "s", name: "add" }, "/w").mcp).toBeUndefined();
});

test.for([
  [{ path: "a" }, undefined],
  [{ path: "a", streamContent: "" }, "write"],
  [{ path: "a", strReplace: { oldText: "x" }, streamContent: "y" }, "edit"],
  [{ path: "a", old_string: "x" }, "edit"],
] as const)("maps an edit called with %j to %s", ([args, tool]) => {
  expect(editTool(args)).toBe(tool);
});
