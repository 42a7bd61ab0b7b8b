/** The service's public names of tools in canonical terms. */
import { list, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import { toolForName } from "../../events/index.ts";
import { titleOf } from "../../events/titles.ts";
import { toolKinds } from "../../events/tools.ts";
import type { CanonicalInput, Tool } from "../../events/tools.ts";
import type { AgentEventOf } from "../../events/types.ts";
import { workspacePath } from "../shared/workspace-path.ts";

const names: Readonly<Record<string, Tool>> = {
  read_file: "read",
  edit_file: "edit",
  search_replace: "edit",
  write_file: "write",
  write: "write",
  delete_file: "delete",
  run_terminal_cmd: "shell",
  grep: "grep",
  grep_search: "grep",
  codebase_search: "grep",
  glob_file_search: "glob",
  file_search: "glob",
  list_dir: "list",
  web_fetch: "web_fetch",
  web_search: "web_search",
  todo_write: "plan",
  create_plan: "plan",
  ask_question: "question",
  task: "task",
  mcp: "mcp",
  call_mcp_tool: "mcp",
  generate_image: "image",
};

const files: ReadonlySet<Tool> = new Set(["read", "write", "edit", "delete"]);

export const toolOf = (nativeName: string): Tool => names[nativeName] ?? toolForName(nativeName) ?? "other";

type Started = Omit<AgentEventOf<"tool.started">, "type" | "callId">;

export function callOf(nativeName: string, input: unknown, cwd: string): Started {
  const tool = toolOf(nativeName);
  const given = record(input);
  const path = pathIn(given);
  return {
    tool,
    nativeName,
    kind: toolKinds[tool],
    title: titleOf(tool, canonical(tool, given), { cwd, nativeName }),
    input: input ?? {},
    ...(path !== undefined && files.has(tool) && { locations: [{ path: workspacePath(path, cwd) }] }),
  };
}

export function pathIn(input: Wire): string | undefined {
  return text(input["path"]) ?? text(input["target_file"]) ?? text(input["file_path"]);
}

function canonical(tool: Tool, input: Wire): CanonicalInput {
  switch (tool) {
    case "shell":
      return { command: text(input["command"]) };
    case "grep":
    case "glob":
      return {
        pattern: text(input["pattern"]) ?? text(input["query"]) ?? text(input["glob_pattern"]),
        path: pathIn(input),
      };
    case "web_fetch":
      return { url: text(input["url"]) };
    case "web_search":
      return { query: text(input["query"]) ?? text(input["search_term"]) };
    case "mcp":
      return {
        server: text(input["server"]) ?? text(input["providerIdentifier"]),
        name: text(input["tool"]) ?? text(input["toolName"]) ?? text(input["name"]),
      };
    case "question":
      return { description: text(input["question"]) ?? text(record(list(input["questions"])[0])["prompt"]) };
    default:
      return { path: pathIn(input), description: text(input["description"]) ?? text(input["name"]) };
  }
}
