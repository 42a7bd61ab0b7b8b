/** The names and inputs of its tools as hooks see them. */
import { textOf, type Fields, type LoopCall } from "../agent-loop/index.ts";

const names: Readonly<Record<string, string>> = {
  read_file: "Read",
  write_file: "Write",
  edit_file: "Write",
  delete_file: "Delete",
  run_terminal_cmd: "Shell",
  grep: "Grep",
  glob_file_search: "Glob",
  list_dir: "LS",
  web_fetch: "WebFetch",
  web_search: "WebSearch",
  todo_write: "TodoWrite",
  ask_question: "AskQuestion",
  create_plan: "CreatePlan",
  task: "Task",
  generate_image: "GenerateImage",
};

export const hookName = ({ name, input }: LoopCall): string =>
  name === "call_mcp_tool" ? `MCP:${textOf(input["tool"])}` : (names[name] ?? name);

export function hookInput({ name, input }: LoopCall, cwd: string): Fields {
  if (name === "write_file") return { file_path: input["path"], contents: input["text"] };
  if (name === "edit_file") return { file_path: input["path"], old_string: input["old"], new_string: input["new"] };
  if (name === "read_file" || name === "delete_file") return { file_path: input["path"] };
  if (name === "run_terminal_cmd") return { command: input["command"], working_directory: cwd };
  if (name === "call_mcp_tool") return (input["arguments"] ?? {}) as Fields;
  return input;
}

/** Converts an input that a hook changed back to the tool's input. */
export function changedInput({ name, input }: LoopCall, changed: Fields): Fields {
  const path = changed["file_path"] ?? changed["path"] ?? input["path"];
  if (name === "write_file") return { path, text: changed["contents"] ?? changed["content"] ?? input["text"] };
  if (name === "edit_file")
    return { path, old: changed["old_string"] ?? input["old"], new: changed["new_string"] ?? input["new"] };
  if (name === "read_file" || name === "delete_file") return { path };
  if (name === "call_mcp_tool") return { ...input, arguments: changed };
  return { ...input, ...changed };
}
