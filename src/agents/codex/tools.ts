import { unifiedDiff } from "../../events/diff.ts";
import { displayPath } from "../../events/paths.ts";
import { titleOf } from "../../events/titles.ts";
import { toolKinds, type CanonicalInput, type Tool } from "../../events/tools.ts";
import type { AgentEventOf } from "../../events/types.ts";
import { firstText, list, record, records, text, type JsonObject } from "../../protocols/json.ts";
import type { DescribedCall } from "../shared/calls.ts";
import { withDiff } from "../shared/file-before.ts";
import { toolNamesIn } from "../shared/translator-parts.ts";

export interface ToolCall extends DescribedCall {
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

export function itemCall(item: JsonObject, cwd: string): ToolCall | undefined {
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
    locations: paths?.map((path) => ({ path: displayPath(path, cwd) })),
    mcp,
  };
}

function describeItem(item: JsonObject): Described | undefined {
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
      const paths = path === undefined ? [] : [path];
      return { tool: "image", nativeName: "view_image", canonical: { path }, input: { path }, paths };
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

/** Codex has no tools for reading, so a command that only reads is reported as a read. */
function describeCommand(item: JsonObject): Described {
  const command = unwrapped(text(item["command"]) ?? "");
  const actions = records(item["commandActions"]);
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

/** Asks the user about the command itself, even when it seems only to read. */
export function commandCall(item: JsonObject, cwd: string): ToolCall {
  return callOf(describeCommand({ ...item, commandActions: [] }), cwd);
}

function describePatch(item: JsonObject): Described {
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

function describeCollaboration(item: JsonObject): Described {
  const name = text(item["tool"]) ?? "";
  const nativeName = collaborations[name] ?? name;
  const description = text(item["prompt"]) ?? nativeName.replaceAll("_", " ");
  return { tool: "task", nativeName, canonical: { description }, input: { prompt: item["prompt"] ?? undefined } };
}

const toolNames = toolNamesIn({
  shell: ["exec_command", "write_stdin", "shell", "local_shell"],
  edit: ["apply_patch"],
  plan: ["update_plan", "get_goal", "create_goal", "update_goal"],
  question: ["request_user_input"],
  image: ["view_image"],
  web_search: ["web_search"],
  task: ["spawn_agent", "send_input", "resume_agent", "wait_agent", "close_agent"],
});

export interface NamedCall {
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly input: unknown;
}

/** Describes a call without an item, as the model made it. */
export function namedCall({ name, namespace, input }: NamedCall, cwd: string): ToolCall {
  const tool = namespace?.startsWith("mcp__") === true ? "mcp" : (toolNames.get(name) ?? "other");
  const server = namespace?.replace(/^mcp__/, "");
  const mcp = tool === "mcp" && server !== undefined ? { server, tool: name } : undefined;
  const nativeName = mcp === undefined ? name : `mcp__${mcp.server}__${name}`;
  const canonical = { ...namedInput(name, record(input)), server, name: tool === "mcp" ? name : undefined };
  return callOf({ tool, nativeName, canonical, input, mcp }, cwd);
}

function namedInput(name: string, input: JsonObject): CanonicalInput {
  const [question] = records(input["questions"]);
  const typing = text(input["chars"]) === undefined ? "Wait for a command" : "Type into a command";
  const described = firstText(question?.["question"], input["message"], input["objective"], input["explanation"]);
  return {
    command: text(input["cmd"]),
    path: text(input["path"]),
    description: name === "write_stdin" ? typing : described,
  };
}

/** The command as the model wrote it. Codex reports it wrapped: `/bin/bash -lc 'npm test'`. */
export function unwrapped(command: string): string {
  const inner = /^(?:\S*\/)?(?:ba|z|da|k|fi)?sh -l?c ([\s\S]+)$/.exec(command)?.[1];
  return inner === undefined ? command : (unquoted(inner) ?? command);
}

/** Removes the quotes of a single shell word. Undefined when the text is more than one word. */
function unquoted(word: string): string | undefined {
  let plain = "";
  let rest = word;
  while (rest !== "") {
    const [part, single, double, escaped, bare] =
      /^(?:'([^']*)'|"((?:[^"\\$`]|\\["\\$`])*)"|\\([\s\S])|([^\s'"\\]+))/.exec(rest) ?? [];
    if (part === undefined) return undefined;
    plain += single ?? double?.replaceAll(/\\(["\\$`])/g, "$1") ?? escaped ?? bare ?? "";
    rest = rest.slice(part.length);
  }
  return plain;
}

interface Change {
  readonly path: string;
  readonly oldPath: string | undefined;
  readonly op: "create" | "modify" | "delete" | "move";
  readonly diff: string;
}

export function proposedDiff(item: JsonObject, cwd: string): string | undefined {
  const diffs = changesOf(item, cwd).map(({ diff }) => diff);
  return text(diffs.join(""));
}

export function filesChanged(item: JsonObject, callId: string, parent: string | undefined, cwd: string) {
  return changesOf(item, cwd).map(({ path, oldPath, op, diff }): AgentEventOf<"file.changed"> => {
    const moved = oldPath === undefined ? {} : { oldPath };
    return withDiff({ type: "file.changed", path, op, callId, parent, ...moved }, diff || undefined);
  });
}

function changesOf(item: JsonObject, cwd: string): Change[] {
  return list(item["changes"]).flatMap((value) => {
    const change = record(value);
    const from = text(change["path"]);
    if (from === undefined) return [];
    const { type, move_path: to } = record(change["kind"]);
    const moved = text(to);
    const oldPath = moved === undefined ? undefined : displayPath(from, cwd);
    const path = displayPath(moved ?? from, cwd);
    const op = oldPath !== undefined ? "move" : type === "add" ? "create" : type === "delete" ? "delete" : "modify";
    return [{ path, oldPath, op, diff: diffOf(op, path, oldPath, change["diff"]) }];
  });
}

/** Codex sends a new or deleted file as its whole text, a changed one as hunks. */
function diffOf(op: Change["op"], path: string, oldPath: string | undefined, given: unknown): string {
  // The target of a move follows the hunks.
  const diff = typeof given === "string" ? given.replace(/\n+Moved to: .*\n?$/, "\n") : "";
  if (op === "create") return unifiedDiff(path, undefined, diff);
  if (op === "delete") return unifiedDiff(path, diff, undefined);
  return diff === "" ? "" : `--- a/${oldPath ?? path}\n+++ b/${path}\n${diff.endsWith("\n") ? diff : `${diff}\n`}`;
}
