/** Codex's items and tool calls in canonical terms. */
import { titleOf } from "../../events/titles.ts";
import { toolKinds } from "../../events/tools.ts";
import type { CanonicalInput, Tool, ToolKind } from "../../events/tools.ts";
import type { Location } from "../../events/types.ts";
import { list, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import { workspacePath } from "../shared/workspace-path.ts";
import { unwrapped } from "./shell-words.ts";

/** One call of a tool, in the words of `tool.started` and `permission.requested`. */
export interface ToolCall {
  readonly tool: Tool;
  readonly nativeName: string;
  readonly kind: ToolKind;
  readonly title: string;
  readonly input: unknown;
  readonly locations: Location[] | undefined;
  readonly mcp: { server: string; tool: string } | undefined;
}

interface Described {
  readonly tool: Tool;
  readonly nativeName: string;
  readonly canonical: CanonicalInput;
  readonly input: unknown;
  readonly paths?: readonly string[] | undefined;
  readonly mcp?: ToolCall["mcp"];
}

/** Undefined for an item that is no tool call. */
export function itemCall(item: Wire, cwd: string): ToolCall | undefined {
  const described = describeItem(item);
  return described === undefined ? undefined : callOf(described, cwd);
}

function callOf({ tool, nativeName, canonical, input, paths, mcp }: Described, cwd: string): ToolCall {
  return {
    tool,
    nativeName,
    kind: toolKinds[tool],
    title: titleOf(tool, canonical, { cwd, nativeName }),
    input,
    locations: paths?.map((path) => ({ path: workspacePath(path, cwd) })),
    mcp,
  };
}

function describeItem(item: Wire): Described | undefined {
  switch (item["type"]) {
    case "commandExecution":
      return describeCommand(item);
    case "fileChange":
      return describePatch(item);
    case "mcpToolCall": {
      const mcp = { server: text(item["server"]) ?? "", tool: text(item["tool"]) ?? "" };
      const nativeName = `mcp__${mcp.server}__${mcp.tool}`;
      const canonical = { server: mcp.server, name: mcp.tool };
      return { tool: "mcp", nativeName, canonical, input: item["arguments"] ?? {}, mcp };
    }
    case "collabAgentToolCall":
      return describeCollaboration(item);
    case "webSearch": {
      const query = text(item["query"]) ?? text(record(item["action"])["query"]);
      const url = text(record(item["action"])["url"]);
      const tool = url === undefined ? "web_search" : "web_fetch";
      return { tool, nativeName: "web_search", canonical: { query, url }, input: { query, url } };
    }
    case "imageView": {
      const path = text(item["path"]);
      return {
        tool: "image",
        nativeName: "view_image",
        canonical: { path },
        input: { path },
        paths: path ? [path] : [],
      };
    }
    case "imageGeneration":
      return { tool: "image", nativeName: "image_generation", canonical: {}, input: {} };
    case "dynamicToolCall":
      return { tool: "other", nativeName: text(item["tool"]) ?? "unknown", canonical: {}, input: item["arguments"] };
    case "sleep":
      return { tool: "other", nativeName: "sleep", canonical: {}, input: {} };
    default:
      return undefined;
  }
}

/** It has no tools of its own to look with; a command that only looks is told as what it looks at. */
function describeCommand(item: Wire): Described {
  const command = unwrapped(text(item["command"]) ?? "");
  const actions = list(item["commandActions"]).map(record);
  const input = { command, cwd: text(item["cwd"]) };
  const shell: Described = { tool: "shell", nativeName: "exec_command", canonical: { command }, input };
  const [action] = actions;
  if (action === undefined || actions.length > 1) return shell;
  const path = text(action["path"]);
  switch (action["type"]) {
    case "read":
      return path === undefined ? shell : { ...shell, tool: "read", canonical: { path }, paths: [path] };
    case "listFiles":
      return { ...shell, tool: "list", canonical: { path } };
    case "search":
      return { ...shell, tool: "grep", canonical: { pattern: text(action["query"]), path } };
    default:
      return shell;
  }
}

/** What a person is asked about is always the command itself, whatever it seems to do. */
export function commandCall(item: Wire, cwd: string): ToolCall {
  return callOf(describeCommand({ ...item, commandActions: [] }), cwd);
}

function describePatch(item: Wire): Described {
  const changes = list(item["changes"]).map(record);
  const moves = changes.map((change) => text(record(change["kind"])["move_path"]));
  const paths = changes.flatMap((change, index) => [change["path"], moves[index]].flatMap((path) => text(path) ?? []));
  const kinds = new Set(changes.map((change) => text(record(change["kind"])["type"]) ?? text(change["kind"])));
  const described = { nativeName: "apply_patch", input: { changes: item["changes"] ?? [] }, paths };
  if (changes.length === 1 && moves[0] !== undefined)
    return { ...described, tool: "move", canonical: { path: text(changes[0]!["path"]), to: moves[0] } };
  const tool = kinds.size > 1 ? "edit" : kinds.has("add") ? "write" : kinds.has("delete") ? "delete" : "edit";
  return { ...described, tool, canonical: { paths } };
}

const collaborations: Readonly<Record<string, string>> = {
  spawnAgent: "spawn_agent",
  sendInput: "send_input",
  resumeAgent: "resume_agent",
  wait: "wait_agent",
  closeAgent: "close_agent",
};

function describeCollaboration(item: Wire): Described {
  const name = text(item["tool"]) ?? "";
  const nativeName = collaborations[name] ?? name;
  const description = text(item["prompt"]) ?? nativeName.replaceAll("_", " ");
  return { tool: "task", nativeName, canonical: { description }, input: { prompt: item["prompt"] ?? undefined } };
}

const toolNames: ReadonlyMap<string, Tool> = new Map<string, Tool>([
  ["exec_command", "shell"],
  ["write_stdin", "shell"],
  ["shell", "shell"],
  ["local_shell", "shell"],
  ["apply_patch", "edit"],
  ["update_plan", "plan"],
  ["get_goal", "plan"],
  ["create_goal", "plan"],
  ["update_goal", "plan"],
  ["request_user_input", "question"],
  ["view_image", "image"],
  ["web_search", "web_search"],
  ["spawn_agent", "task"],
  ["send_input", "task"],
  ["resume_agent", "task"],
  ["wait_agent", "task"],
  ["close_agent", "task"],
]);

export interface NamedCall {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly input: unknown;
}

export function canonicalTool({ name, namespace }: Pick<NamedCall, "name" | "namespace">): Tool {
  return namespace?.startsWith("mcp__") === true ? "mcp" : (toolNames.get(name) ?? "other");
}

/** A call as its model made it, of which there is no item. */
export function namedCall(call: NamedCall, cwd: string): ToolCall {
  const { name, namespace, input } = call;
  const tool = canonicalTool(call);
  const given = record(input);
  const server = namespace?.replace(/^mcp__/, "");
  const mcp = tool === "mcp" && server !== undefined ? { server, tool: name } : undefined;
  const nativeName = mcp === undefined ? name : `mcp__${mcp.server}__${name}`;
  const canonical = { ...namedInput(name, given), server, name: tool === "mcp" ? name : undefined };
  return callOf({ tool, nativeName, canonical, input, mcp }, cwd);
}

function namedInput(name: string, input: Wire): CanonicalInput {
  switch (name) {
    case "exec_command":
      return { command: text(input["cmd"]) };
    case "write_stdin":
      return { description: text(input["chars"]) === undefined ? "Wait for a command" : "Type into a command" };
    case "view_image":
      return { path: text(input["path"]) };
    case "request_user_input":
      return { description: text(record(list(input["questions"])[0])["question"]) };
    default:
      return { description: text(input["message"]) ?? text(input["objective"]) ?? text(input["explanation"]) };
  }
}
