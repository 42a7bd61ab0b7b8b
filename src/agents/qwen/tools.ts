/** Qwen Code's tools in canonical terms: their names, calls, results, the files they change and the to-do list they keep. */
import { resolve } from "node:path";
import { clipText } from "../../events/clip.ts";
import { unifiedDiff } from "../../events/diff.ts";
import { defaultLimits } from "../../events/limits.ts";
import { displayPath } from "../../events/paths.ts";
import type { Tool } from "../../events/tools.ts";
import type { AgentEvent, AgentEventOf, PlanEntry, ToolOutput } from "../../events/types.ts";
import { record, records, text } from "../../protocols/json.ts";
import type { OpenCall, Outcome } from "../shared/calls.ts";
import { fileAt, withDiff } from "../shared/file-before.ts";
import type { FileBefore } from "../shared/file-before.ts";
import { StreamJsonCalls, resultText } from "../shared/stream-json-calls.ts";
import type { EndedCall, ResultFacts } from "../shared/stream-json-calls.ts";
import { describeCall, filePath, mcpName } from "../shared/tool-call.ts";
import type { ToolCall } from "../shared/tool-call.ts";
import { nativeNames } from "../shared/tool-filter.ts";

type Failed = AgentEventOf<"tool.failed">;

/** What is not here and no MCP tool is `other`, which the policy treats as able to do anything. */
const toolNames: ReadonlyMap<string, Tool> = new Map<string, Tool>([
  ["run_shell_command", "shell"],
  ["read_file", "read"],
  ["edit", "edit"],
  ["write_file", "write"],
  ["grep_search", "grep"],
  ["glob", "glob"],
  ["list_directory", "list"],
  ["agent", "task"],
  ["todo_write", "plan"],
  ["web_fetch", "web_fetch"],
  ["web_search", "web_search"],
  ["ask_user_question", "question"],
  ["notebook_edit", "notebook"],
  ["save_memory", "memory"],
  ["zoom_image", "read"],
  ["lsp", "read"],
  ["tool_search", "list"],
  ["list_agents", "list"],
  ["cron_list", "list"],
  ["get_goal", "plan"],
  ["update_goal", "plan"],
  ["propose_goal", "plan"],
  ["task_create", "plan"],
  ["task_update", "plan"],
  ["task_list", "plan"],
  ["exit_plan_mode", "plan"],
  ["enter_plan_mode", "mode"],
  ["monitor", "shell"],
  ["exec", "shell"],
  ["task_stop", "task"],
  ["send_message", "task"],
  ["create_sub_session", "task"],
  ["workflow", "task"],
  ["image_gen", "image"],
  ["display_image", "image"],
  ["read_mcp_resource", "mcp"],
  // Their names in older versions.
  ["replace", "edit"],
  ["search_file_content", "grep"],
  ["task", "task"],
]);

export function canonicalTool(nativeName: string): Tool {
  return toolNames.get(nativeName) ?? (mcpName(nativeName) === undefined ? "other" : "mcp");
}

/** Tools that are not offered to the model are called through one that is: what counts is what they are. */
export function unwrapped(nativeName: string, input: unknown): { name: string; input: unknown } {
  const { name, arguments: inner } = record(input);
  return nativeName === "tool_call" && typeof name === "string" ? { name, input: inner } : { name: nativeName, input };
}

export function toolCall(nativeName: string, given: unknown, cwd: string): ToolCall {
  const { name, input } = unwrapped(nativeName, given);
  return describeCall(canonicalTool(name), name, input, { cwd, firstLine: 0 });
}

/** The spelling of a tool filter for Qwen Code. */
export function nativeToolNames(canonicalOrNative: string): string[] {
  return nativeNames(canonicalOrNative, toolNames);
}

export class Calls extends StreamJsonCalls {
  constructor(cwd: string) {
    super({
      describe: (nativeName, input) => toolCall(nativeName, input, cwd),
      outcome: outcomeOf,
      // A subagent keeps a list of its own, which is not the plan of the session.
      effects: (call, said) => [fileChanged(call, said, cwd), call.parent === undefined ? planAfter(call) : undefined],
      unwrapped,
    });
  }

  /** The call of a subagent, by the subagent's id, which ends with it. */
  taskOf(agentId: string): OpenCall | undefined {
    return this.open.find(({ callId }) => agentId.endsWith(callId));
  }

  /** A call of this tool with this input: a permission in a hook does not say which call it is about. */
  alike(name: string, input: unknown, parent: string | undefined, isOther: (callId: string) => boolean) {
    const wanted = JSON.stringify(input);
    const calls = this.open.filter(
      (open) => open.parent === parent && open.call.nativeName === name && !isOther(open.callId),
    );
    return calls.find(({ call }) => JSON.stringify(call.input) === wanted) ?? calls[0];
  }

  /** A subagent is at work. */
  get delegates(): boolean {
    return this.open.some(({ call }) => call.nativeName === "agent");
  }

  /** The call runs with another input than the model wanted. */
  runsWith(callId: string, input: unknown): void {
    const open = this.find(callId);
    if (open !== undefined) this.changed(callId, { ...open.call, input });
  }
}

export function outcomeOf({ block, stopped: why }: Pick<ResultFacts, "block" | "stopped">): Outcome {
  const said = resultText(block["content"]);
  const shell = shellReport(said);
  const shown = shell?.output ?? said;
  const bytes = Buffer.byteLength(shown);
  const output: ToolOutput = { text: shown, bytes, kept: bytes };
  if (block["is_error"] !== true) return { output, failed: undefined };
  const stopped = /^\[Operation Cancelled\] Reason: ([\s\S]*)$/.exec(said)?.[1];
  const message = clipText(stopped ?? shown, defaultLimits.inlineBytes).text.trim();
  const error: Failed["error"] = { message: message || shell?.ended || "The tool failed and did not say why." };
  if (shell?.exitCode !== undefined) error.exitCode = shell.exitCode;
  return { output, failed: { error, reason: why ?? reasonOf(said, stopped) } };
}

/** It words a denial, an interruption and a deadline in sentences only. */
function reasonOf(said: string, stopped: string | undefined): Failed["reason"] {
  if (stopped !== undefined || /^(?:Tool call|Command was) cancelled\b/.test(said)) return "cancelled";
  if (/^(?:Tool blocked by plan mode|Plan mode blocked|This ".+" invocation was denied)|is denied\b/.test(said))
    return "denied";
  return said.startsWith("Command timed out") ? "timeout" : "error";
}

interface ShellReport {
  readonly output: string;
  readonly exitCode: number | undefined;
  /** What became of it, where it did not end by itself. */
  readonly ended: string | undefined;
}

/** A command that failed, printed nothing or ran in a subagent is reported as the model is told of it. */
function shellReport(said: string): ShellReport | undefined {
  const found =
    /^Command: [\s\S]*?\nDirectory: [^\n]*\nOutput: ([\s\S]*)\nError: ([\s\S]*?)\nExit Code: (\S+)(?:\nSignal: (\d+))?/.exec(
      said,
    );
  if (found === null) return undefined;
  const [, output = "", error = "", code = "", signal] = found;
  const parts = [output === "(empty)" ? "" : output, error === "(none)" ? "" : error];
  return {
    output: parts.filter((part) => part !== "").join("\n"),
    exitCode: /^-?\d+$/.test(code) ? Number(code) : undefined,
    ended: signal === undefined ? undefined : `The command was ended by signal ${signal}.`,
  };
}

/** The agent's to-do list: one tool writes all of it. */
function planAfter({ nativeName, input }: EndedCall): AgentEvent | undefined {
  if (nativeName !== "todo_write") return undefined;
  const entries = records(record(input)["todos"]).map((item): PlanEntry => ({
    text: text(item["content"]) ?? "",
    status: statusOf(item["status"]),
  }));
  return { type: "plan.updated", entries: entries.filter((entry) => entry.text !== "") };
}

function statusOf(status: unknown): PlanEntry["status"] {
  return status === "in_progress" || status === "completed" ? status : "pending";
}

/** Files as they were before a tool ran: the program tells only that it changed one. */
export class FilesBefore {
  readonly #cwd: string;
  readonly #files = new Map<string, FileBefore>();

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  look(callId: string, nativeName: string, input: unknown): void {
    const tool = canonicalTool(nativeName);
    const path = filePath(record(input));
    if (path === undefined || (tool !== "write" && tool !== "edit" && tool !== "notebook")) return;
    const file = fileAt(resolve(this.#cwd, path));
    if (!file.existed || file.text !== undefined) this.#files.set(callId, file);
  }

  /** The change with what is different now; as it is where the file was not looked at before. */
  compared(event: AgentEventOf<"file.changed">): AgentEventOf<"file.changed"> {
    const before = this.#files.get(event.callId ?? "");
    this.#files.delete(event.callId ?? "");
    const after = before === undefined ? undefined : fileAt(before.path).text;
    if (before === undefined || after === undefined) return event;
    const op = before.existed ? "modify" : "create";
    return withDiff({ ...event, op }, unifiedDiff(event.path, before.text, after));
  }
}

/** The file that a call changed, where it succeeded; the program says in words what it did. */
function fileChanged(call: EndedCall, said: string, cwd: string): AgentEventOf<"file.changed"> | undefined {
  const tool = canonicalTool(call.nativeName);
  if (tool !== "write" && tool !== "edit" && tool !== "notebook") return undefined;
  const path = filePath(record(call.input));
  if (path === undefined) return undefined;
  return {
    type: "file.changed",
    path: displayPath(path, cwd),
    op: /^(?:Successfully c|C)reated /.test(said) ? "create" : "modify",
    callId: call.callId,
    parent: call.parent,
  };
}
