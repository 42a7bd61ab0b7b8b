/** A tool call as print mode writes it: one key per tool, with the input below it. */
import { fieldsOf, listOf, textOf, type Fields, type LoopCall } from "../../agent-loop/index.ts";
import type { Use } from "../channel.ts";
import { commandsIn } from "../permissions.ts";

const keys: Readonly<Record<string, string>> = {
  read_file: "readToolCall",
  write_file: "editToolCall",
  edit_file: "editToolCall",
  delete_file: "deleteToolCall",
  run_terminal_cmd: "shellToolCall",
  grep: "grepToolCall",
  glob_file_search: "globToolCall",
  list_dir: "lsToolCall",
  web_fetch: "webFetchToolCall",
  web_search: "webSearchToolCall",
  todo_write: "updateTodosToolCall",
  ask_question: "askQuestionToolCall",
  create_plan: "createPlanToolCall",
  task: "taskToolCall",
  call_mcp_tool: "mcpToolCall",
  generate_image: "generateImageToolCall",
};

export const keyOf = (name: string): string => keys[name] ?? `${name}ToolCall`;

export function argsOf(use: Use, cwd: string): Fields {
  const { call, id: toolCallId } = use;
  const { name, input } = call;
  const path = textOf(input["path"]);
  switch (name) {
    // The written content is not included.
    case "read_file":
    case "write_file":
    case "edit_file":
      return path === "" ? {} : { path };
    case "delete_file":
      return { path, toolCallId };
    case "list_dir":
      return { path, ignore: [], toolCallId };
    case "run_terminal_cmd":
      return shellArgs(call, toolCallId);
    case "grep":
      return { pattern: input["pattern"], path: path || cwd, caseInsensitive: false, multiline: false, toolCallId };
    case "glob_file_search":
      return { targetDirectory: cwd, globPattern: input["pattern"], toolCallId };
    case "web_fetch":
      return { url: input["url"], toolCallId };
    case "web_search":
      return { searchTerm: input["query"], toolCallId };
    case "todo_write":
      return { todos: todosOf(input), merge: input["merge"] === true };
    case "ask_question":
      return questionArgs(input);
    case "create_plan":
      return { plan: input["plan"], todos: [], overview: "", name: "Plan", isProject: false, phases: [] };
    case "task":
      return taskArgs(input, toolCallId);
    case "call_mcp_tool":
      return mcpArgs(input, toolCallId);
    default:
      return { ...input, toolCallId };
  }
}

function shellArgs({ input }: LoopCall, toolCallId: string): Fields {
  const command = textOf(input["command"]);
  return {
    command,
    workingDirectory: "",
    timeout: 30_000,
    toolCallId,
    simpleCommands: commandsIn(command).map((one) => one.split(/\s+/)[0]),
    hasInputRedirect: command.includes("<"),
    hasOutputRedirect: command.includes(">"),
    parsingResult: { parsingFailed: false, executableCommands: [], hasRedirects: false, hasCommandSubstitution: false },
    // A 64-bit integer is written as a string.
    fileOutputThresholdBytes: "40000",
    isBackground: input["background"] === true,
    skipApproval: false,
    timeoutBehavior: "TIMEOUT_BEHAVIOR_BACKGROUND",
    hardTimeout: 86_400_000,
    closeStdin: true,
  };
}

export function questionArgs(input: Fields): Fields {
  const options = listOf(input["options"]).map((label) => ({ id: String(label), label: String(label) }));
  const prompt = textOf(input["question"]);
  const questions = [{ id: "question_1", prompt, options, allowMultiple: input["multiple"] === true }];
  return { title: prompt, questions, runAsync: false, asyncOriginalToolCallId: "" };
}

export function todosOf(input: Fields): object[] {
  const now = String(Date.now());
  return listOf(input["todos"]).map((todo, index) => {
    const { id, content, status } = fieldsOf(todo);
    const spelled = `TODO_STATUS_${(textOf(status) || "pending").toUpperCase()}`;
    return {
      id: textOf(id) || String(index + 1),
      content: textOf(content),
      status: spelled,
      createdAt: now,
      updatedAt: now,
      dependencies: [],
    };
  });
}

const taskArgs = (input: Fields, toolCallId: string): Fields => ({
  description: input["description"],
  prompt: input["prompt"],
  subagentType: { unspecified: {} },
  model: "default",
  mode: "TASK_MODE_UNSPECIFIED",
  agentId: toolCallId.split("\n")[0],
});

function mcpArgs(input: Fields, toolCallId: string): Fields {
  const server = textOf(input["server"]);
  const toolName = textOf(input["tool"]);
  return {
    name: `${server}-${toolName}`,
    args: fieldsOf(input["arguments"]),
    toolCallId,
    providerIdentifier: server,
    toolName,
    smartModeApprovalOnly: false,
    skipApproval: false,
    serverIdentifier: server,
  };
}
