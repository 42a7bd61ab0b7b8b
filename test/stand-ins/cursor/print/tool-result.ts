/** The result of a tool as print mode writes it. */
import { diffStats, unifiedDiff } from "../../../../src/events/diff.ts";
import { fieldsOf, listOf, textOf, type Fields, type LoopCall, type ToolResult } from "../../agent-loop/index.ts";
import type { UseOutcome, Use } from "../channel.ts";
import { todosOf } from "./tool-args.ts";

/** An object with one key that names the outcome; `isBackground` may stand beside it. */
export function resultOf(use: Use, outcome: UseOutcome, cwd: string): Fields {
  const { name, input } = use.call;
  if (outcome.kind === "rejected") {
    const { reason } = outcome;
    if (name !== "run_terminal_cmd") return { rejected: { reason } };
    return { rejected: { command: input["command"], workingDirectory: cwd, reason, isReadonly: false } };
  }
  if (outcome.kind === "blocked") return { error: { error: outcome.message } };
  const { result } = outcome;
  if (name === "run_terminal_cmd" && result.facts !== undefined)
    return shellResult(result, input["background"] === true);
  if (!result.ok) return { error: errorOf(name, result) };
  return { success: successOf(use, result, cwd) };
}

function shellResult({ ok, facts = {} }: ToolResult, isBackground: boolean): Fields {
  const { command, exitCode = 0, stdout = "", stderr = "", output = "", ms = 0, pid } = facts;
  const told = {
    command,
    workingDirectory: "",
    exitCode,
    signal: "",
    stdout,
    stderr,
    executionTime: ms,
    interleavedOutput: output,
    localExecutionTimeMs: ms,
  };
  const background = { ...told, shellId: pid, pid };
  return { [ok ? "success" : "failure"]: isBackground ? background : told, isBackground };
}

const errorOf = (name: string, { text, facts = {} }: ToolResult): Fields =>
  name === "read_file" ? { errorMessage: text } : { path: facts["path"], error: text };

function successOf({ call, startedAt }: Use, { text, facts = {} }: ToolResult, cwd: string): Fields {
  switch (call.name) {
    case "read_file":
      return readSuccess(textOf(facts["path"]), textOf(facts["content"]));
    case "write_file":
    case "edit_file":
      return editSuccess(facts);
    case "delete_file":
      return {
        path: facts["path"],
        deletedFile: facts["path"],
        fileSize: String(facts["size"]),
        prevContent: facts["before"],
      };
    case "grep":
      return grepSuccess(call, facts, cwd);
    case "glob_file_search": {
      const files = listOf(facts["files"]);
      return { pattern: call.input["pattern"], path: facts["path"], files, totalFiles: files.length };
    }
    case "list_dir":
      return { directoryTreeRoot: treeOf(facts) };
    case "web_fetch":
      return { url: facts["url"], markdown: facts["content"] };
    case "web_search":
      return { references: facts["references"] };
    case "todo_write": {
      const todos = todosOf(call.input);
      return { todos, totalCount: todos.length, wasMerge: call.input["merge"] === true };
    }
    case "task":
      return {
        conversationSteps: [{ assistantMessage: { text } }],
        agentId: facts["agentId"],
        isBackground: call.input["background"] === true,
        durationMs: String(Date.now() - startedAt),
        backgroundReason: "SUBAGENT_BACKGROUND_REASON_UNSPECIFIED",
      };
    case "call_mcp_tool": {
      const content = listOf(facts["content"]).map((part) => ({ text: { text: textOf(fieldsOf(part)["text"]) } }));
      return { content, isError: false, systemReminders: [] };
    }
    case "generate_image":
      return { filePath: facts["path"], imageData: facts["imageData"] };
    default:
      return {};
  }
}

function readSuccess(path: string, content: string): Fields {
  const totalLines = content.split("\n").length;
  return {
    content,
    isEmpty: content === "",
    exceededLimit: false,
    totalLines,
    fileSize: Buffer.byteLength(content),
    path,
    readRange: { startLine: 1, endLine: totalLines },
    relatedCursorRulePaths: [],
    relatedCursorRules: [],
  };
}

function editSuccess({ path, before, after }: Fields): Fields {
  const old = typeof before === "string" ? before : undefined;
  const diff = unifiedDiff(textOf(path), old, textOf(after));
  const { added, removed } = diffStats(diff);
  return {
    path,
    linesAdded: added,
    linesRemoved: removed,
    diffString: diff,
    // Omitted for a new file.
    ...(old === undefined ? {} : { beforeFullFileContent: old }),
    afterFullFileContent: after,
    message: `The file ${textOf(path)} has been updated.`,
  };
}

function grepSuccess({ input }: LoopCall, facts: Fields, cwd: string): Fields {
  const found = listOf(facts["matches"]).map(fieldsOf);
  const files = [...new Set(found.map(({ file }) => textOf(file)))];
  const matches = files.map((file) => ({
    file,
    matches: found
      .filter((match) => match["file"] === file)
      .map(({ line, text }) => ({ lineNumber: line, content: text })),
  }));
  const content = { matches, totalLines: found.length, totalMatchedLines: found.length };
  return { pattern: input["pattern"], path: cwd, outputMode: "content", workspaceResults: { [cwd]: { content } } };
}

function treeOf({ path, folders, files }: Fields): Fields {
  const root = textOf(path);
  return {
    absPath: root,
    childrenDirs: listOf(folders).map((name) => ({ absPath: `${root}/${String(name)}` })),
    childrenFiles: listOf(files).map((name) => ({ name })),
    childrenWereProcessed: true,
    numFiles: listOf(files).length,
    fullSubtreeExtensionCounts: {},
  };
}
