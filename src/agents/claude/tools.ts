/** Maps Claude Code's tools to canonical terms: names, calls, results, changed files and the to-do list. */
import { unifiedDiff } from "../../events/diff.ts";
import type { Tool } from "../../events/tools.ts";
import type { AgentEvent, AgentEventOf, Content, PlanEntry, ToolOutput } from "../../events/types.ts";
import { isRecord, list, number, record, records, text, texts, type JsonObject } from "../../protocols/json.ts";
import type { Outcome } from "../shared/calls.ts";
import { withDiff } from "../shared/file-before.ts";
import {
  StreamJsonCalls,
  changedFile,
  failedWith,
  planEntry,
  planStatus,
  resultText,
  toolIn,
  type EndedCall,
  type ResultFacts,
} from "../shared/stream-json-calls.ts";
import { describeCall, type ToolCall } from "../shared/tool-call.ts";
import { nativeNames } from "../shared/tool-filter.ts";
import { toolNamesIn } from "../shared/translator-parts.ts";

const toolNames = toolNamesIn({
  shell: ["Bash", "Monitor", "PowerShell", "BashOutput", "KillShell"],
  read: ["Read", "NotebookRead"],
  edit: ["Edit", "MultiEdit"],
  write: ["Write"],
  notebook: ["NotebookEdit"],
  grep: ["Grep"],
  glob: ["Glob"],
  list: ["LS", "ToolSearch", "ListAgents", "CronList"],
  task: ["Agent", "Task", "TaskOutput", "TaskStop", "SendMessage"],
  plan: ["TodoWrite", "TaskCreate", "TaskUpdate", "TaskList", "TaskGet", "ExitPlanMode"],
  mode: ["EnterPlanMode"],
  question: ["AskUserQuestion"],
  // The second name of each runs at the model's service: its calls are in the model's own messages.
  web_fetch: ["WebFetch", "web_fetch"],
  web_search: ["WebSearch", "web_search"],
  mcp: ["ListMcpResourcesTool", "ReadMcpResourceTool"],
});

export const canonicalTool = (nativeName: string): Tool => toolIn(toolNames, nativeName);

export function toolCall(nativeName: string, input: unknown, cwd: string): ToolCall {
  return describeCall(canonicalTool(nativeName), nativeName, input, { cwd, firstLine: 1 });
}

/** `mcp__*` forbids every MCP tool but allows none: to allow, the agent needs the name of the server (`mcp__files`). */
export function nativeToolNames(canonicalOrNative: string): string[] {
  return nativeNames(canonicalOrNative, ownNames);
}

/** A filter cannot name tools that run at the model's service. */
const ownNames = new Map([...toolNames].filter(([native, tool]) => native !== tool));

export class Calls extends StreamJsonCalls {
  constructor(cwd: string, outlives?: (parent: string | undefined) => boolean) {
    const plan = new Plan();
    super({
      describe: (nativeName, input) => toolCall(nativeName, input, cwd),
      outcome: outcomeOf,
      fileChanged: (call, said, structured) => fileChanged(call, structured, said, cwd),
      plan: ({ nativeName, input }, structured) => plan.after(nativeName, input, structured),
      ...(outlives && { outlives }),
    });
  }
}

/** Text for the model about a call that was refused or interrupted. */
const toModel = /^The user doesn't want to proceed with this tool use|^\[Request interrupted by user/;

export function outcomeOf(facts: ResultFacts): Outcome {
  const { block, structured } = facts;
  const long = longOutput(structured);
  const said = long?.beginning ?? reportOf(structured) ?? resultText(block["content"]);
  const content = imagesOf(block["content"]);
  const kept = Buffer.byteLength(said);
  const output: ToolOutput = { text: said, bytes: long?.bytes ?? kept, kept };
  if (content.length > 0) output.content = content;
  if (block["is_error"] !== true) return { output, failed: undefined };
  const plain = said.replace(/^<tool_use_error>([\s\S]*)<\/tool_use_error>$/, "$1");
  const reason = reasonOf(facts, plain);
  const message = reason === "cancelled" && toModel.test(plain) ? "It was stopped." : plain;
  const exitCode = /^Exit code (\d+)/.exec(plain)?.[1];
  return { output, failed: failedWith(message, reason, exitCode === undefined ? undefined : Number(exitCode)) };
}

/** The agent keeps a long output in a file; the model sees only a part of it. */
function longOutput(structured: unknown): { beginning: string; bytes: number } | undefined {
  const found = record(structured);
  const bytes = number(found["persistedOutputSize"]);
  const beginning = text(found["stdout"]);
  return bytes === undefined || beginning === undefined ? undefined : { beginning, bytes };
}

/** A subagent's report without the text that is only for the model. */
function reportOf(structured: unknown): string | undefined {
  const found = record(structured);
  if (text(found["agentId"]) === undefined) return undefined;
  if (found["status"] === "async_launched") return "It runs in the background.";
  if (!Array.isArray(found["content"])) return undefined;
  return resultText(found["content"]).replace(
    /^\s*<tools-used-before-summary>[^<]*<\/tools-used-before-summary>\s*/,
    "",
  );
}

function imagesOf(content: unknown): Content[] {
  return list(content).flatMap((part): Content[] => {
    const source = record(record(part)["source"]);
    const data = text(source["data"]);
    if (!isRecord(part) || part["type"] !== "image" || data === undefined) return [];
    const bytes = Math.floor((data.length * 3) / 4) - (data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0);
    return [{ type: "image", mediaType: text(source["media_type"]) ?? "image/png", data, bytes }];
  });
}

/** A refusal and an interruption have the same text; only the metadata differ. */
function reasonOf({ structured, meta, stopped }: ResultFacts, said: string): AgentEventOf<"tool.failed">["reason"] {
  if (stopped !== undefined) return stopped;
  if (record(meta["permission_decision"])["decision"] === "reject" || meta["non_execution_kind"] === "permission-rule")
    return "denied";
  if (meta["non_execution_kind"] === "user-rejected" || record(structured)["interrupted"] === true) return "cancelled";
  if (toModel.test(said)) return "cancelled";
  return /^(Exit code \d+\s+)?Command timed out/.test(said) ? "timeout" : "error";
}

/** The to-do list, written as a whole or entry by entry. */
export class Plan {
  #entries = new Map<string, PlanEntry>();

  after(nativeName: string, input: unknown, result: unknown): AgentEvent | undefined {
    const given = record(input);
    const found = record(result);
    switch (nativeName) {
      case "TodoWrite":
        this.#entries = entriesOf(found["newTodos"] ?? given["todos"], "content");
        break;
      case "TaskCreate":
        if (!this.#create(given, record(found["task"]))) return undefined;
        break;
      case "TaskUpdate":
        if (!this.#update(given)) return undefined;
        break;
      case "TaskList":
        if (!Array.isArray(found["tasks"])) return undefined;
        this.#entries = entriesOf(found["tasks"], "subject");
        break;
      default:
        return undefined;
    }
    return { type: "plan.updated", entries: [...this.#entries.values()] };
  }

  #create(given: JsonObject, task: JsonObject): boolean {
    const id = text(task["id"]);
    const subject = text(task["subject"]) ?? text(given["subject"]);
    if (id === undefined || subject === undefined) return false;
    this.#entries.set(id, { text: subject, status: "pending" });
    return true;
  }

  #update({ taskId, subject, status }: JsonObject): boolean {
    const id = text(taskId) ?? "";
    const entry = this.#entries.get(id);
    if (entry === undefined) return false;
    if (status === "deleted") this.#entries.delete(id);
    else this.#entries.set(id, { text: text(subject) ?? entry.text, status: planStatus(status) ?? entry.status });
    return true;
  }
}

function entriesOf(items: unknown, named: "content" | "subject"): Map<string, PlanEntry> {
  const entries = records(items).flatMap((item, index): [string, PlanEntry][] => {
    const entry = planEntry(item, named);
    return entry === undefined ? [] : [[text(item["id"]) ?? String(index), entry]];
  });
  return new Map(entries);
}

/** The result of a subagent has no structure; the input names the file then. */
export function fileChanged(
  call: EndedCall,
  result: unknown,
  said: string,
  cwd: string,
): AgentEventOf<"file.changed"> | undefined {
  const input = record(call.input);
  const found = record(result);
  const named = found["filePath"] ?? found["notebook_path"] ?? input["file_path"] ?? input["notebook_path"];
  const created = isRecord(result) ? found["type"] === "create" : said.startsWith("File created");
  const event = changedFile(call, canonicalTool(call.nativeName), text(named), { cwd, created });
  if (event === undefined || text(found["error"]) !== undefined) return undefined;
  return withDiff(event, diffOf(event.path, isRecord(result) ? found : { content: input["content"] }, created));
}

function diffOf(path: string, found: JsonObject, created: boolean): string | undefined {
  if (created) return typeof found["content"] === "string" ? unifiedDiff(path, undefined, found["content"]) : undefined;
  const { original_file: before, updated_file: after } = found;
  if (typeof before === "string" && typeof after === "string") return unifiedDiff(path, before, after);
  const hunks = records(found["structuredPatch"]).map(hunkOf);
  return hunks.length > 0 ? `--- a/${path}\n+++ b/${path}\n${hunks.join("")}` : undefined;
}

function hunkOf(hunk: JsonObject): string {
  const range = (start: unknown, lines: unknown) => `${number(start) ?? 0},${number(lines) ?? 0}`;
  const header = `@@ -${range(hunk["oldStart"], hunk["oldLines"])} +${range(hunk["newStart"], hunk["newLines"])} @@`;
  return `${[header, ...texts(hunk["lines"])].join("\n")}\n`;
}
