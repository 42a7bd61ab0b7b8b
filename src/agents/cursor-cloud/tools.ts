/** Tool calls of a run: the service's tool names in canonical terms; each call begins once, ends once, and tells the file it changed. */
import { canonicalInput } from "../../events/canonical-input.ts";
import { toolForName } from "../../events/index.ts";
import { displayPath } from "../../events/paths.ts";
import { titleOf } from "../../events/titles.ts";
import { toolKinds } from "../../events/tools.ts";
import type { CanonicalInput, Tool } from "../../events/tools.ts";
import type { AgentEvent, AgentEventOf } from "../../events/types.ts";
import { isRecord, list, named, number, record, text } from "../../protocols/json.ts";
import type { JsonObject } from "../../protocols/json.ts";

const names: ReadonlyMap<string, Tool> = new Map<string, Tool>(
  (
    [
      ["read", "read_file"],
      ["edit", "edit_file search_replace"],
      ["write", "write_file write"],
      ["delete", "delete_file"],
      ["shell", "run_terminal_cmd"],
      ["grep", "grep grep_search codebase_search"],
      ["glob", "glob_file_search file_search"],
      ["list", "list_dir"],
      ["web_fetch", "web_fetch"],
      ["web_search", "web_search"],
      ["plan", "todo_write create_plan"],
      ["question", "ask_question"],
      ["task", "task"],
      ["mcp", "mcp call_mcp_tool"],
      ["image", "generate_image"],
    ] as const
  ).flatMap(([tool, all]) => all.split(" ").map((name): [string, Tool] => [name, tool])),
);

const files: ReadonlySet<Tool> = new Set(["read", "write", "edit", "delete"]);

export const toolOf = (nativeName: string): Tool => names.get(nativeName) ?? toolForName(nativeName) ?? "other";

export function callOf(
  nativeName: string,
  input: unknown,
  cwd: string,
): Omit<AgentEventOf<"tool.started">, "type" | "callId"> {
  const tool = toolOf(nativeName);
  const given = record(input);
  const path = pathIn(given);
  return {
    tool,
    nativeName,
    kind: toolKinds[tool],
    title: titleOf(tool, canonical(tool, given), { cwd, nativeName }),
    input: input ?? {},
    ...(path !== undefined && files.has(tool) && { locations: [{ path: displayPath(path, cwd) }] }),
  };
}

function pathIn(input: JsonObject): string | undefined {
  return text(input["path"]) ?? text(input["target_file"]) ?? text(input["file_path"]);
}

function canonical(tool: Tool, input: JsonObject): CanonicalInput {
  const guessed = canonicalInput(tool, input);
  if (tool === "mcp") return { ...guessed, server: guessed.server ?? text(input["providerIdentifier"]) };
  return tool === "plan" ? { description: guessed.description ?? text(input["name"]) } : guessed;
}

const planStatus: Readonly<Record<string, "pending" | "in_progress" | "completed">> = {
  in_progress: "in_progress",
  completed: "completed",
  cancelled: "completed",
};

export class Calls {
  readonly #cwd: string;
  /** The arguments of each call that runs. */
  readonly #running = new Map<string, unknown>();
  readonly #ended = new Set<string>();

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  take(wire: JsonObject): AgentEvent[] {
    const callId = text(wire["callId"]);
    const name = text(wire["name"]);
    if (callId === undefined || name === undefined)
      return [notice("unparsed", `A tool call has no ${callId === undefined ? "id" : "name"}.`)];
    if (this.#ended.has(callId)) return [];
    const status = text(wire["status"]);
    const out = this.#begin(callId, name, wire);
    if (status === "running" || status === "pending") return out;
    if (status !== "completed" && status !== "error")
      out.push(notice("unparsed", `A tool call is ${named(wire["status"])}.`));
    return [...out, ...this.#end(callId, name, wire, status === "error")];
  }

  #begin(callId: string, name: string, wire: JsonObject): AgentEvent[] {
    if (this.#running.has(callId)) return [];
    this.#running.set(callId, wire["args"]);
    const out: AgentEvent[] = [{ type: "tool.started", callId, ...callOf(name, wire["args"], this.#cwd) }];
    if (record(wire["truncated"])["args"] === true)
      out.push(notice("truncated", `What ${name} was told is too long for the service to pass on.`));
    return out;
  }

  #end(callId: string, name: string, wire: JsonObject, failed: boolean): AgentEvent[] {
    const input = record(wire["args"] ?? this.#running.get(callId));
    this.#running.delete(callId);
    this.#ended.add(callId);
    const result = resultOf(wire["result"]);
    const exit = result.exitCode === undefined ? {} : { exitCode: result.exitCode };
    if (failed || !result.ok) {
      const message = result.text || "It failed, and the service does not say why.";
      return [
        { type: "tool.failed", callId, reason: result.rejected ? "denied" : "error", error: { message, ...exit } },
      ];
    }
    const bytes = Buffer.byteLength(result.text);
    const output = { text: result.text, bytes, kept: bytes };
    const out: AgentEvent[] = [
      { type: "tool.completed", callId, output, ...exit },
      ...this.#changes(callId, name, input, result),
    ];
    if (record(wire["truncated"])["result"] === true)
      out.push(notice("truncated", `What ${name} gave is too long for the service to pass on.`));
    return out;
  }

  #changes(callId: string, name: string, input: JsonObject, { fields }: Result): AgentEvent[] {
    const tool = toolOf(name);
    const given = text(fields["path"]) ?? pathIn(input);
    if (tool === "plan" && name !== "create_plan") return planOf(input);
    if (given === undefined || (tool !== "write" && tool !== "edit" && tool !== "delete")) return [];
    const before = fields["beforeFullFileContent"];
    const fresh = before === "" || (tool === "write" && typeof before !== "string");
    const op = tool === "delete" ? "delete" : fresh ? "create" : "modify";
    const diff = text(fields["diffString"]);
    const path = displayPath(given, this.#cwd);
    return [{ type: "file.changed", path, op, callId, ...(diff !== undefined && { diff }) }];
  }
}

function planOf(input: JsonObject): AgentEvent[] {
  const entries = list(input["todos"]).flatMap((one) => {
    const { content, status } = record(one);
    const words = text(content);
    return words === undefined ? [] : [{ text: words, status: planStatus[text(status) ?? ""] ?? "pending" }];
  });
  return entries.length === 0 ? [] : [{ type: "plan.updated", entries }];
}

const notice = (code: string, message: string): AgentEvent => ({ type: "notice", level: "warning", code, message });

/** The result of a call: one of `success`, `failure`, `error`, `rejected`, or fields of its own. */
interface Result {
  readonly ok: boolean;
  readonly rejected: boolean;
  readonly text: string;
  readonly exitCode: number | undefined;
  readonly fields: JsonObject;
}

const bad = ["failure", "error", "rejected", "permissionDenied", "timeout", "fileNotFound"] as const;

export function resultOf(result: unknown): Result {
  const wire = record(result);
  const failed = bad.find((name) => wire[name] !== undefined);
  const inner = failed === undefined ? (wire["success"] ?? result) : wire[failed];
  const fields = record(inner);
  const exitCode = number(fields["exitCode"]) ?? number(fields["exit_code"]);
  return {
    ok: failed === undefined && (exitCode ?? 0) === 0,
    rejected: failed === "rejected" || failed === "permissionDenied",
    text: wordsOf(inner),
    exitCode,
    fields,
  };
}

const textFields = ["content", "output", "message", "error", "reason", "text", "result", "answer"] as const;

function wordsOf(inner: unknown): string {
  if (typeof inner === "string") return inner;
  if (inner === undefined || inner === null) return "";
  if (!isRecord(inner)) return JSON.stringify(inner);
  const both = [inner["stdout"], inner["stderr"]].map((part) => text(part) ?? "").join("");
  if (both !== "" || "stdout" in inner) return both;
  for (const name of textFields) {
    const found = inner[name];
    if (typeof found === "string") return found;
    const parts = list(found).flatMap(
      (part) => text(part) ?? text(record(part)["text"]) ?? text(record(record(part)["text"])["text"]) ?? [],
    );
    if (parts.length > 0) return parts.join("\n");
  }
  return JSON.stringify(inner);
}
