import { describe, expect, test } from "vitest";
import { displayPath } from "../../events/paths.ts";
import { tools } from "../../events/tools.ts";
import { mcpName } from "../shared/tool-call.ts";
import { Plan, canonicalTool, fileChanged, nativeToolNames, outcomeOf, toolCall } from "./tools.ts";

const cwd = "/workspace/app";
const title = (name: string, input: unknown) => toolCall(name, input, cwd).title;

describe("calls", () => {
  test.each([
    ["Bash", { command: "npm test", description: "Tests" }, "shell", "Run npm test"],
    ["Read", { file_path: "/workspace/app/src/a.ts" }, "read", "Read src/a.ts"],
    ["Edit", { file_path: "/elsewhere/a.ts" }, "edit", "Edit /elsewhere/a.ts"],
    ["NotebookEdit", { notebook_path: "/workspace/app/n.ipynb" }, "notebook", "Edit notebook n.ipynb"],
    ["Grep", { pattern: "x", path: "src" }, "grep", "Search x in src"],
    ["Glob", { pattern: "*.ts" }, "glob", "Find *.ts"],
    ["LS", { path: "/workspace/app/src" }, "list", "List src"],
    ["ToolSearch", { query: "select:WebFetch" }, "list", "List select:WebFetch"],
    ["WebFetch", { url: "https://example.org" }, "web_fetch", "Fetch https://example.org"],
    ["WebSearch", { query: "reins" }, "web_search", "Search the web: reins"],
    ["Agent", { description: "Look around", prompt: "…" }, "task", "Task: Look around"],
    ["AskUserQuestion", { questions: [{ question: "Which?" }] }, "question", "Ask: Which?"],
    ["ExitPlanMode", { plan: "\n## Add a thing\n1. …" }, "plan", "Plan: Add a thing"],
    ["EnterPlanMode", {}, "mode", "Switch mode: plan"],
    ["TaskCreate", { subject: "First", description: "long" }, "plan", "Plan: First"],
    ["Skill", { skill: "review" }, "other", "Skill: review"],
    ["mcp__git_hub__get_issue", { number: 1 }, "mcp", "git_hub: get_issue"],
    ["ReadMcpResourceTool", { server: "files", uri: "file:///x" }, "mcp", "files: file:///x"],
    ["NoSuchTool", undefined, "other", "NoSuchTool"],
  ])("describes %s %j", (name, input, tool, expected) => {
    expect(canonicalTool(name)).toBe(tool);
    expect(title(name, input)).toBe(expected);
  });

  test("reports file locations relative to the workspace, with the line read from", () => {
    expect(toolCall("Read", { file_path: "/workspace/app/a", offset: 10 }, cwd).locations).toEqual([
      { path: "a", line: 10 },
    ]);
    expect(toolCall("Read", { file_path: "/b", offset: 0 }, cwd).locations).toEqual([{ path: "/b" }]);
    expect(toolCall("Grep", { pattern: "x", path: "/workspace/app" }, cwd).locations).toBeUndefined();
    expect(toolCall("Write", {}, cwd).locations).toBeUndefined();
    expect(displayPath("a/b", cwd)).toBe("a/b");
    expect(displayPath("/workspace/app2/a", cwd)).toBe("/workspace/app2/a");
    expect(displayPath(cwd, cwd)).toBe(cwd);
    expect(displayPath("/workspace/app/..x", cwd)).toBe("..x");
  });

  test("names the server of an MCP tool", () => {
    expect(toolCall("mcp__fake__add", {}, cwd).mcp).toEqual({ server: "fake", tool: "add" });
    expect(mcpName("mcp__a__b__c")).toEqual({ server: "a", tool: "b__c" });
    expect(mcpName("mcp__a")).toBeUndefined();
  });
});

describe("filters", () => {
  test("translates canonical tools and keeps the agent's own names", () => {
    expect(nativeToolNames("shell")).toContain("Bash");
    expect(nativeToolNames("shell(git *)")).toContain("Bash(git *)");
    expect(nativeToolNames("web_fetch")).toEqual(["WebFetch"]);
    expect(nativeToolNames("mcp")).toEqual(["mcp__*"]);
    expect(nativeToolNames("Bash(npm run *)")).toEqual(["Bash(npm run *)"]);
    expect(nativeToolNames("mcp__files")).toEqual(["mcp__files"]);
    expect(nativeToolNames("")).toEqual([""]);
  });

  test("maps every name back to its tool", () => {
    for (const tool of tools.filter((name) => name !== "mcp")) {
      for (const native of nativeToolNames(tool)) if (native !== tool) expect(canonicalTool(native)).toBe(tool);
    }
  });
});

describe("results", () => {
  const outcome = (block: object, more: object = {}) =>
    outcomeOf({ block: { ...block }, structured: undefined, meta: {}, stopped: undefined, ...more });

  test("reads text as a string or in blocks, with images", () => {
    expect(outcome({ content: "é" }).output).toEqual({ text: "é", bytes: 2, kept: 2 });
    expect(
      outcome({ content: [{ type: "text", text: "a" }, { type: "text", text: "b" }, "x", { type: "other" }] }).output
        .text,
    ).toBe("a\nb");
    const image = { type: "image", source: { type: "base64", media_type: "image/gif", data: "QUJD" } };
    expect(outcome({ content: [image, { type: "image", source: {} }] }).output).toEqual({
      text: "",
      bytes: 0,
      kept: 0,
      content: [{ type: "image", mediaType: "image/gif", data: "QUJD", bytes: 3 }],
    });
    expect(outcome({}).output.text).toBe("");
  });

  test.each([
    ["Exit code 3\nout", {}, "error", { message: "Exit code 3\nout", exitCode: 3 }],
    ["<tool_use_error>Bad input</tool_use_error>", {}, "error", { message: "Bad input" }],
    ["", {}, "error", { message: "The tool failed without a message." }],
    ["no", { stopped: "denied" }, "denied", { message: "no" }],
    ["no", { stopped: "cancelled" }, "cancelled", { message: "no" }],
    ["no", { meta: { permission_decision: { decision: "reject" } } }, "denied", { message: "no" }],
    ["no", { meta: { non_execution_kind: "permission-rule" } }, "denied", { message: "no" }],
    ["x", { meta: { non_execution_kind: "user-rejected" } }, "cancelled", { message: "x" }],
    ["x", { structured: { interrupted: true } }, "cancelled", { message: "x" }],
    ["[Request interrupted by user for tool use]", {}, "cancelled", { message: "It was stopped." }],
    ["Command timed out after 2m", {}, "timeout", { message: "Command timed out after 2m" }],
  ])("classifies a failure %j %j as %s", (content, more, reason, error) => {
    expect(outcome({ content, is_error: true }, more).failed).toEqual({ reason, error });
  });

  test("shortens a failure to the size kept of any output", () => {
    expect(outcome({ content: "x".repeat(100_000), is_error: true }).failed?.error.message.length).toBe(51_200);
  });

  test("keeps the beginning of a long output and its size", () => {
    const structured = { stdout: "xxx", persistedOutputPath: "/home/x.txt", persistedOutputSize: 200_000 };
    const { output } = outcome({ content: "<persisted-output>" }, { structured });
    expect(output).toEqual({ text: "xxx", bytes: 200_000, kept: 3 });
    expect(outcome({ content: "said" }, { structured: { persistedOutputSize: 5 } }).output.text).toBe("said");
  });

  test("reports only a subagent's result", () => {
    const structured = {
      agentId: "a",
      content: [
        { type: "text", text: "<tools-used-before-summary>Bash</tools-used-before-summary>" },
        { type: "text", text: "Report." },
      ],
    };
    expect(outcome({ content: "boilerplate" }, { structured }).output.text).toBe("Report.");
    expect(
      outcome({ content: "boilerplate" }, { structured: { agentId: "a", status: "async_launched" } }).output.text,
    ).toBe("It runs in the background.");
    expect(outcome({ content: "said" }, { structured: { agentId: "a" } }).output.text).toBe("said");
  });
});

describe("files", () => {
  const changed = (nativeName: string, input: object, result: unknown, said = "") =>
    fileChanged({ nativeName, input, callId: "c", parent: undefined }, result, said, cwd);

  test("converts a patch to a unified diff", () => {
    const structuredPatch = [{ oldStart: 1, oldLines: 2, newStart: 1, newLines: 3, lines: [" a", "-b", "+c", "+d"] }];
    expect(changed("Edit", {}, { filePath: "/workspace/app/x.txt", structuredPatch })).toEqual({
      type: "file.changed",
      path: "x.txt",
      op: "modify",
      callId: "c",
      parent: undefined,
      added: 2,
      removed: 1,
      diff: "--- a/x.txt\n+++ b/x.txt\n@@ -1,2 +1,3 @@\n a\n-b\n+c\n+d\n",
    });
  });

  test("counts the lines of a large diff and leaves it out", () => {
    const event = changed("Write", {}, { type: "create", filePath: "/x", content: "line\n".repeat(20_000) });
    expect(event).toMatchObject({ op: "create", path: "/x", added: 20_000, removed: 0 });
    expect(event).not.toHaveProperty("diff");
  });

  test("takes the file from the input and the kind of change from the text without a structured result", () => {
    expect(
      changed("Write", { file_path: "a", content: "x\n" }, undefined, "File created successfully at: a"),
    ).toMatchObject({ op: "create", added: 1 });
    expect(changed("Edit", { file_path: "a" }, undefined, "The file a has been updated")).toMatchObject({
      op: "modify",
      path: "a",
    });
    expect(changed("Write", { file_path: "a" }, undefined, "File created successfully")).not.toHaveProperty("diff");
  });

  test("reports no change when nothing changed", () => {
    expect(changed("Read", { file_path: "a" }, {})).toBeUndefined();
    expect(changed("Edit", {}, {})).toBeUndefined();
    expect(
      changed("NotebookEdit", { notebook_path: "n" }, { notebook_path: "n", error: "no such cell" }),
    ).toBeUndefined();
  });
});

describe("plan", () => {
  test("reads a plan written as a whole or entry by entry", () => {
    const plan = new Plan();
    expect(
      plan.after("TodoWrite", { todos: [{ content: "a", status: "completed" }, { content: "" }, 3] }, undefined),
    ).toMatchObject({ entries: [{ text: "a", status: "completed" }] });
    expect(plan.after("TaskList", {}, { tasks: [{ id: "7", subject: "b", status: "odd" }] })).toMatchObject({
      entries: [{ text: "b", status: "pending" }],
    });
    expect(plan.after("TaskCreate", { subject: "c" }, { task: { id: "8" } })).toMatchObject({
      entries: [{ text: "b" }, { text: "c" }],
    });
    expect(plan.after("TaskUpdate", { taskId: "8", subject: "d", status: "in_progress" }, {})).toMatchObject({
      entries: [{ text: "b" }, { text: "d", status: "in_progress" }],
    });
    expect(plan.after("TaskUpdate", { taskId: "7", status: "deleted" }, {})).toMatchObject({
      entries: [{ text: "d" }],
    });
  });

  test("ignores messages without news", () => {
    const plan = new Plan();
    expect(plan.after("TaskUpdate", { taskId: "1" }, {})).toBeUndefined();
    expect(plan.after("TaskCreate", {}, {})).toBeUndefined();
    expect(plan.after("TaskList", {}, {})).toBeUndefined();
    expect(plan.after("Bash", {}, {})).toBeUndefined();
  });
});
