/** Maps OpenCode's tools to canonical terms: names, inputs, results and the files that a call changes. */
import { resolve } from "node:path";
import { clipText } from "../../events/clip.ts";
import { defaultLimits } from "../../events/limits.ts";
import { displayPath } from "../../events/paths.ts";
import { titleOf } from "../../events/titles.ts";
import { toolKinds, type CanonicalInput, type Tool } from "../../events/tools.ts";
import type { AgentEventOf, Content, Location, ToolOutput } from "../../events/types.ts";
import { list, number, record, records, text, type JsonObject } from "../../protocols/json.ts";
import type { Outcome } from "../shared/calls.ts";
import { diffWith, fileAt, hunksOf, replaced, withDiff, type FileBefore } from "../shared/file-before.ts";
import { toolNamesIn } from "../shared/translator-parts.ts";
import type { ToolCall } from "../shared/tool-call.ts";

const toolNames = toolNamesIn({
  shell: ["bash"],
  read: ["read"],
  write: ["write"],
  edit: ["edit", "multiedit", "apply_patch"],
  glob: ["glob"],
  grep: ["grep", "lsp"],
  list: ["list"],
  web_fetch: ["webfetch"],
  web_search: ["websearch", "codesearch"],
  task: ["task"],
  plan: ["todowrite", "todoread", "plan_exit"],
  mode: ["plan_enter"],
  question: ["question"],
  memory: ["skill"],
  mcp: ["list_mcp_resources", "list_mcp_resource_templates", "read_mcp_resource"],
});

const filePathTools: ReadonlySet<Tool> = new Set(["read", "write", "edit"]);

export interface Naming {
  readonly cwd: string;
  /** Names of MCP servers; their tools are called `server_tool`. */
  readonly servers: ReadonlySet<string>;
}

export function toolCall(nativeName: string, input: unknown, { cwd, servers }: Naming): ToolCall {
  const mcp = mcpName(nativeName, servers);
  const tool = toolNames.get(nativeName) ?? (mcp === undefined ? "other" : "mcp");
  const given = record(input);
  const paths = pathsOf(nativeName, given);
  return {
    tool,
    nativeName,
    kind: toolKinds[tool],
    title: titleOf(tool, canonicalInput(tool, given, paths, mcp), { cwd, nativeName }),
    locations: filePathTools.has(tool) && paths.length > 0 ? locationsOf(paths, given, cwd) : undefined,
    mcp,
  };
}

/** The tool `invalid` stands for a malformed call and contains the name that was called. */
export function calledName(nativeName: string, input: unknown): string {
  return nativeName === "invalid" ? (text(record(input)["tool"]) ?? nativeName) : nativeName;
}

function mcpName(nativeName: string, servers: ReadonlySet<string>): ToolCall["mcp"] {
  if (toolNames.has(nativeName)) return undefined;
  const isOf = (name: string) => nativeName.startsWith(`${name.replaceAll(/[^a-zA-Z0-9_-]/g, "_")}_`);
  const [server] = [...servers].filter(isOf).toSorted((one, other) => other.length - one.length);
  return server ? { server, tool: nativeName.slice(server.length + 1) } : undefined;
}

function pathsOf(nativeName: string, input: JsonObject): readonly string[] {
  if (nativeName !== "apply_patch") return [text(input["filePath"]) ?? []].flat();
  const patch = text(input["patchText"]) ?? "";
  const lines = patch.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm);
  return [...new Set([...lines].map(([, path = ""]) => path.trim()))];
}

/** Superset of fields for all tools; the title of a tool uses what it needs. */
function canonicalInput(tool: Tool, input: JsonObject, paths: readonly string[], mcp: ToolCall["mcp"]): CanonicalInput {
  const [question] = records(input["questions"]);
  const mcpTool = mcp?.tool ?? text(input["uri"]);
  return {
    paths,
    path: text(input["path"]),
    command: text(input["command"]),
    pattern: text(input["pattern"]) ?? text(input["operation"]),
    query: text(input["query"]),
    url: text(input["url"]),
    description: text(question?.["question"]) ?? text(input["description"]) ?? text(input["name"]),
    server: mcp?.server ?? text(input["server"]),
    name: tool === "mode" ? "plan" : tool === "mcp" ? mcpTool : undefined,
  };
}

function locationsOf(paths: readonly string[], input: JsonObject, cwd: string): Location[] {
  const line = number(input["offset"]);
  const places = paths.map((path): Location => ({ path: displayPath(path, cwd) }));
  if (places.length === 1 && line !== undefined && Number.isInteger(line) && line > 0) places[0]!.line = line;
  return places;
}

/** All native names of a canonical tool, or the native name itself. */
export function nativeToolNames(canonicalOrNative: string): string[] {
  const names = [...toolNames].filter(([, tool]) => tool === canonicalOrNative).map(([native]) => native);
  return names.length > 0 ? names : [canonicalOrNative];
}

type FileChanged = AgentEventOf<"file.changed">;

/**
 * OpenCode reports only the name of a new file, so the file is read before the call. Undefined for a call that changes
 * no file, or several.
 */
export function fileBefore(nativeName: string, input: unknown, cwd: string): FileBefore | undefined {
  const path = text(record(input)["filePath"]);
  if (path === undefined || (nativeName !== "write" && nativeName !== "edit")) return undefined;
  return fileAt(resolve(cwd, path));
}

export function proposedDiff(
  before: FileBefore | undefined,
  nativeName: string,
  input: JsonObject,
  cwd: string,
): string | undefined {
  if (nativeName === "apply_patch") return text(input["patchText"]);
  if (before === undefined) return undefined;
  const after = nativeName === "write" ? input["content"] : edited(before.text, input);
  return typeof after === "string" ? diffWith(before, after, cwd) : undefined;
}

interface ChangingCall {
  readonly callId: string;
  readonly name: string;
  readonly input: unknown;
  readonly before: FileBefore | undefined;
  readonly parent: string | undefined;
}

/** Call only after a successful call. */
export function filesChanged(call: ChangingCall, metadata: JsonObject, cwd: string): FileChanged[] {
  switch (call.name) {
    case "write":
      return writtenFile(call, metadata, cwd);
    case "edit":
    case "multiedit": {
      const path = text(record(metadata["filediff"])["file"]) ?? text(record(call.input)["filePath"]);
      if (path === undefined) return [];
      const place = displayPath(path, cwd);
      const created = call.before?.existed === false;
      return [changed(call, place, created ? "create" : "modify", hunksOf(text(metadata["diff"]), place))];
    }
    case "apply_patch":
      return list(metadata["files"]).flatMap((file) => patchedFile(call, record(file), cwd));
    default:
      return [];
  }
}

function changed(
  { callId, parent }: ChangingCall,
  path: string,
  op: FileChanged["op"],
  diff: string | undefined,
  oldPath?: string,
): FileChanged {
  const moved = oldPath === undefined ? {} : { oldPath };
  return withDiff({ type: "file.changed", path, op, callId, parent, ...moved }, diff);
}

function writtenFile(call: ChangingCall, metadata: JsonObject, cwd: string): FileChanged[] {
  const { input, before } = call;
  const path = text(metadata["filepath"]) ?? text(record(input)["filePath"]);
  if (path === undefined) return [];
  const { content } = record(input);
  // Another hook may have changed the input to another file.
  const known = before?.path === resolve(cwd, path) ? before : undefined;
  const diff = known !== undefined && typeof content === "string" ? diffWith(known, content, cwd) : undefined;
  return [changed(call, displayPath(path, cwd), metadata["exists"] === true ? "modify" : "create", diff)];
}

const operations: Readonly<Record<string, FileChanged["op"]>> = { add: "create", delete: "delete", move: "move" };

function patchedFile(call: ChangingCall, file: JsonObject, cwd: string): FileChanged[] {
  const path = text(file["filePath"]) ?? text(file["relativePath"]);
  if (path === undefined) return [];
  const from = displayPath(path, cwd);
  const moved = text(file["movePath"]);
  const op = operations[String(file["type"])] ?? "modify";
  const to = moved === undefined || op !== "move" ? from : displayPath(moved, cwd);
  const diff = hunksOf(text(file["patch"]) ?? text(file["diff"]), to);
  return [changed(call, to, op, diff, op === "move" ? from : undefined)];
}

function edited(before: string | undefined, input: JsonObject): string | undefined {
  const { oldString: from, newString: to } = input;
  if (from === "") return typeof to === "string" ? to : undefined;
  return before === undefined ? undefined : replaced(before, from, to, input["replaceAll"] === true);
}

type Reason = AgentEventOf<"tool.failed">["reason"];

/** OpenCode adds this text for its model. */
const shellRemark = /\n*<shell_metadata>\n([\s\S]*?)\n?<\/shell_metadata>\s*$/;
const noOutput = "(no output)";

/** `state` has the status `completed` or `error`. */
export function outcomeOf(name: string, state: JsonObject, denied: boolean): Outcome {
  const whole = text(state["output"]) ?? "";
  const output = outputOf(name, whole, state["attachments"]);
  const failed = (message: string, reason: Reason): Outcome => {
    const said = clipText(message, defaultLimits.inlineBytes).text || "The tool failed without a message.";
    return { output, failed: { error: { message: said }, reason } };
  };
  if (state["status"] === "error") {
    const said = text(state["error"]) ?? "";
    return failed(said, reasonOf(said, record(state["metadata"]), denied));
  }
  // A malformed call counts as successful for OpenCode.
  if (name === "invalid") return failed(text(record(state["input"])["error"]) ?? "", "error");
  const remark = name === "bash" ? shellRemark.exec(whole)?.[1] : undefined;
  if (remark !== undefined && /exceeding timeout/.test(remark)) return failed(remark, "timeout");
  if (remark !== undefined && /abort/i.test(remark)) return failed(remark, "cancelled");
  const { start, end } = record(state["time"]);
  const [from, to] = [number(start), number(end)];
  const durationMs = from === undefined || to === undefined ? undefined : Math.max(0, to - from);
  return { output, exitCode: number(record(state["metadata"])["exit"]), durationMs };
}

function outputOf(nativeName: string, whole: string, attachments: unknown): ToolOutput {
  const said = reportOf(nativeName, nativeName === "bash" && whole === noOutput ? "" : whole);
  const bytes = Buffer.byteLength(said);
  const content = imagesOf(attachments);
  return { text: said, bytes, kept: bytes, ...(content.length > 0 ? { content } : {}) };
}

function reportOf(nativeName: string, whole: string): string {
  if (nativeName !== "task") return whole;
  if (/^<task id="[^"]*" state="running">/.test(whole)) return "It runs in the background.";
  return /<task_result>\n?([\s\S]*?)\n?<\/task_result>/.exec(whole)?.[1] ?? whole;
}

function imagesOf(attachments: unknown): Content[] {
  return list(attachments).flatMap((item): Content[] => {
    const { mime, url } = record(item);
    const [, data] = /^data:[^;,]*;base64,(.*)$/s.exec(String(url)) ?? [];
    if (data === undefined || typeof mime !== "string" || !mime.startsWith("image/")) return [];
    const bytes = Math.floor((data.length * 3) / 4) - (data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0);
    return [{ type: "image", mediaType: mime, data, bytes }];
  });
}

function reasonOf(said: string, metadata: JsonObject, denied: boolean): Reason {
  if (denied || /rejected permission|specified a rule which prevents/.test(said)) return "denied";
  return metadata["interrupted"] === true || said.startsWith("Tool execution aborted") ? "cancelled" : "error";
}
