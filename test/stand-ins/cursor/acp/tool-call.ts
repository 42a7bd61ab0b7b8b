/** A tool call over ACP, which has no tool names: a title, a kind, and as much of the input as was observed. */
import { unifiedDiff } from "../../../../src/events/diff.ts";
import { fieldsOf, listOf, textOf, type Fields } from "../../agent-loop/index.ts";
import type { UseOutcome, Use } from "../channel.ts";

interface Look {
  readonly title: string;
  readonly kind: string;
  readonly rawInput?: Fields;
}

/** The fields of its announcement. */
export function lookOf({ call: { name, input } }: Use): Look {
  const path = textOf(input["path"]);
  switch (name) {
    case "run_terminal_cmd":
      return { title: `\`${textOf(input["command"])}\``, kind: "execute", rawInput: { command: input["command"] } };
    case "read_file":
      return { title: "Read File", kind: "read", rawInput: path === "" ? {} : { path } };
    case "write_file":
    case "edit_file":
      return { title: "Edit File", kind: "edit", rawInput: { path } };
    case "delete_file":
      return { title: "Delete File", kind: "delete", rawInput: { path } };
    case "grep":
      return { title: "grep", kind: "search", rawInput: {} };
    case "glob_file_search":
      return { title: "Find", kind: "search", rawInput: {} };
    case "list_dir":
      return { title: "List Directory", kind: "read", rawInput: { path } };
    case "web_fetch":
      return { title: "Web Fetch", kind: "fetch", rawInput: { url: input["url"] } };
    case "web_search":
      return { title: "Web Search", kind: "search", rawInput: { query: input["query"] } };
    // The server's name follows in an update.
    case "call_mcp_tool":
      return { title: "MCP: tool", kind: "other" };
    case "task": {
      const description = textOf(input["description"]);
      return { title: `Task: ${description}`, kind: "other", rawInput: { _toolName: "task", description } };
    }
    default:
      return { title: titles[name] ?? name, kind: "other", rawInput: { _toolName: ownNames[name] ?? name } };
  }
}

const titles: Readonly<Record<string, string>> = {
  todo_write: "Update TODOs",
  ask_question: "Ask Question",
  create_plan: "Create Plan",
  generate_image: "Generate Image",
};

const ownNames: Readonly<Record<string, string>> = {
  todo_write: "updateTodos",
  ask_question: "askQuestion",
  create_plan: "createPlan",
  generate_image: "generateImage",
};

export const mcpInput = ({ call: { input } }: Use): Fields => ({
  providerIdentifier: input["server"],
  toolName: input["tool"],
  args: fieldsOf(input["arguments"]),
});

/** The fields of its permission request: a different title, and no input. */
export function askedLook(use: Use, count: number): Fields {
  const { name, input } = use.call;
  const path = textOf(input["path"]);
  if (name === "web_fetch")
    return { toolCallId: `web_fetch_${count}`, title: `Fetch ${textOf(input["url"])}`, kind: "fetch" };
  if (name === "web_search")
    return { toolCallId: `web_search_${count}`, title: `Web search: ${textOf(input["query"])}`, kind: "search" };
  if (name === "delete_file") return { toolCallId: use.id, title: `Delete \`${path}\``, kind: "edit" };
  if (name === "write_file" || name === "edit_file")
    return { toolCallId: use.id, title: `Edit \`${path}\``, kind: "edit" };
  const { title, kind } = lookOf(use);
  if (name !== "call_mcp_tool") return { toolCallId: use.id, title, kind };
  return { toolCallId: use.id, title: `MCP: ${textOf(input["tool"])}`, kind, rawInput: mcpInput(use) };
}

/** The result fields of an ended call. Empty for a rejected call, which Cursor also reports as completed. */
export function endOf(use: Use, outcome: UseOutcome): Fields {
  if (outcome.kind === "rejected") return {};
  if (outcome.kind === "blocked") return { rawOutput: { error: outcome.message } };
  const { ok, text, facts = {} } = outcome.result;
  const { name, input } = use.call;
  switch (name) {
    case "run_terminal_cmd": {
      const { exitCode = 0, stdout = "", stderr = "" } = facts;
      return { rawOutput: { exitCode, stdout, stderr } };
    }
    case "write_file":
    case "edit_file":
    case "delete_file":
      return ok ? { content: [diffOf(facts, name === "delete_file")] } : { rawOutput: { error: text } };
    case "grep":
      return ok ? { rawOutput: { totalMatches: listOf(facts["matches"]).length, truncated: false } } : errorOf(text);
    case "glob_file_search":
      return ok ? { rawOutput: { totalFiles: listOf(facts["files"]).length, truncated: false } } : errorOf(text);
    case "task":
      return ok
        ? { rawOutput: { durationMs: Date.now() - use.startedAt, isBackground: input["background"] === true } }
        : errorOf(text);
    case "read_file":
    case "list_dir":
    case "web_fetch":
    case "call_mcp_tool":
      return ok ? { rawOutput: { content: text } } : errorOf(text);
    default:
      return ok ? {} : errorOf(text);
  }
}

const errorOf = (error: string): Fields => ({ rawOutput: { error } });

/** The real program takes the header of a patch as a part of the file. */
function diffOf({ path, before, after }: Fields, deletes: boolean): Fields {
  const old = typeof before === "string" ? before : undefined;
  const patch = unifiedDiff(textOf(path), old, deletes ? undefined : textOf(after));
  const [from = "", to = ""] = patch.split("\n");
  const withHead = (head: string, text: string): string => `${head.slice(1)}${text === "" ? "" : `\n${text}`}`;
  return {
    type: "diff",
    path,
    oldText: withHead(from, old ?? ""),
    newText: withHead(to, deletes ? "" : textOf(after)),
  };
}
