/** Maps Qwen Code's tools to canonical terms: names, calls, results, changed files and the to-do list. */
import { resolve } from "node:path";
import { unifiedDiff } from "../../events/diff.ts";
import { toolKinds, type Tool } from "../../events/tools.ts";
import type { AgentEvent, AgentEventOf, ToolOutput } from "../../events/types.ts";
import { record, records } from "../../protocols/json.ts";
import type { OpenCall, Outcome } from "../shared/calls.ts";
import { fileAt, withDiff } from "../shared/file-before.ts";
import {
  StreamJsonCalls,
  changedFile,
  failedWith,
  planEntry,
  resultText,
  toolIn,
  type EndedCall,
  type ResultFacts,
} from "../shared/stream-json-calls.ts";
import { describeCall, filePath, type ToolCall } from "../shared/tool-call.ts";
import { nativeNames } from "../shared/tool-filter.ts";
import { toolNamesIn } from "../shared/translator-parts.ts";

const toolNames = toolNamesIn({
  shell: ["run_shell_command", "monitor", "exec"],
  read: ["read_file", "zoom_image", "lsp"],
  // The last names of `edit`, `grep` and `task` are those of older versions.
  edit: ["edit", "replace"],
  write: ["write_file"],
  notebook: ["notebook_edit"],
  grep: ["grep_search", "search_file_content"],
  glob: ["glob"],
  list: ["list_directory", "tool_search", "list_agents", "cron_list"],
  task: ["agent", "task_stop", "send_message", "create_sub_session", "workflow", "task"],
  plan: [
    ...["todo_write", "task_create", "task_update", "task_list", "exit_plan_mode"],
    ...["get_goal", "update_goal", "propose_goal"],
  ],
  mode: ["enter_plan_mode"],
  question: ["ask_user_question"],
  web_fetch: ["web_fetch"],
  web_search: ["web_search"],
  memory: ["save_memory"],
  image: ["image_gen", "display_image"],
  mcp: ["read_mcp_resource"],
});

export const canonicalTool = (nativeName: string): Tool => toolIn(toolNames, nativeName);

/** Some tools are called through `tool_call`: the inner one counts. */
export function unwrapped(nativeName: string, input: unknown): { name: string; input: unknown } {
  const { name, arguments: inner } = record(input);
  return nativeName === "tool_call" && typeof name === "string" ? { name, input: inner } : { name: nativeName, input };
}

export function toolCall(nativeName: string, given: unknown, cwd: string): ToolCall {
  const { name, input } = unwrapped(nativeName, given);
  return describeCall(canonicalTool(name), name, input, { cwd, firstLine: 0 });
}

export function nativeToolNames(canonicalOrNative: string): string[] {
  return nativeNames(canonicalOrNative, toolNames);
}

export class Calls extends StreamJsonCalls {
  readonly #cwd: string;

  constructor(cwd: string) {
    super({
      describe: (nativeName, input) => toolCall(nativeName, input, cwd),
      outcome: outcomeOf,
      fileChanged: (call, said) => fileChanged(call, said, cwd),
      plan: planAfter,
      unwrapped,
    });
    this.#cwd = cwd;
  }

  /** The id of a subagent ends with the id of its call. */
  taskOf(agentId: string): OpenCall | undefined {
    return this.open.find(({ callId }) => agentId.endsWith(callId));
  }

  /** Finds the call of a permission in a hook, which does not contain its id. */
  alike(name: string, input: unknown, parent: string | undefined, isOther: (callId: string) => boolean) {
    const wanted = JSON.stringify(input);
    const calls = this.open.filter(
      (open) => open.parent === parent && open.call.nativeName === name && !isOther(open.callId),
    );
    return calls.find(({ call }) => JSON.stringify(call.input) === wanted) ?? calls[0];
  }

  get delegates(): boolean {
    return this.open.some(({ call }) => call.nativeName === "agent");
  }

  /** Records that the call runs with this input. Reads the file that it may change, for a diff. */
  runsWith(callId: string, input: unknown, nativeName = this.find(callId)?.call.nativeName ?? ""): void {
    const open = this.find(callId);
    const path = filePath(record(input));
    const isEdit = path !== undefined && toolKinds[canonicalTool(nativeName)] === "edit";
    const file = isEdit ? fileAt(resolve(this.#cwd, path)) : undefined;
    const before = file?.existed === true && file.text === undefined ? undefined : file;
    if (open === undefined) this.held(callId, before);
    else this.changed(callId, { ...open.call, input }, before);
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
  const message = (stopped ?? shown).trim() || (shell?.ended ?? "");
  return { output, failed: failedWith(message, why ?? reasonOf(said, stopped), shell?.exitCode) };
}

/** A denial, an interruption and a deadline differ only in their texts. */
function reasonOf(said: string, stopped: string | undefined): AgentEventOf<"tool.failed">["reason"] {
  if (stopped !== undefined || /^(?:Tool call|Command was) cancelled\b/.test(said)) return "cancelled";
  if (/^(?:Tool blocked by plan mode|Plan mode blocked|This ".+" invocation was denied)|is denied\b/.test(said))
    return "denied";
  return said.startsWith("Command timed out") ? "timeout" : "error";
}

/** Reads the report for the model about a command that failed, printed nothing or ran in a subagent. */
function shellReport(said: string) {
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
    // Set when the command did not end by itself.
    ended: signal === undefined ? undefined : `The command was ended by signal ${signal}.`,
  };
}

function planAfter({ nativeName, input }: EndedCall): AgentEvent | undefined {
  if (nativeName !== "todo_write") return undefined;
  return { type: "plan.updated", entries: records(record(input)["todos"]).flatMap((item) => planEntry(item) ?? []) };
}

/** The program reports that it changed a file, but not how. */
function fileChanged(call: EndedCall, said: string, cwd: string): AgentEventOf<"file.changed"> | undefined {
  const { before, nativeName, input } = call;
  const created = before === undefined ? /^(?:Successfully c|C)reated /.test(said) : !before.existed;
  const event = changedFile(call, canonicalTool(nativeName), filePath(record(input)), { cwd, created });
  const after = before === undefined ? undefined : fileAt(before.path).text;
  if (event === undefined || before === undefined || after === undefined) return event;
  return withDiff(event, unifiedDiff(event.path, before.text, after));
}
