/** Claude Code's tools in canonical terms: their names, calls, results, the files they change and the to-do list they keep. */
import { clipText } from "../../events/clip.ts";
import { unifiedDiff } from "../../events/diff.ts";
import { defaultLimits } from "../../events/limits.ts";
import { displayPath } from "../../events/paths.ts";
import type { Tool } from "../../events/tools.ts";
import type { AgentEvent, AgentEventOf, Content, PlanEntry, ToolOutput } from "../../events/types.ts";
import { isRecord, list, number, record, text, texts } from "../../protocols/json.ts";
import type { JsonObject } from "../../protocols/json.ts";
import type { Outcome } from "../shared/calls.ts";
import { withDiff } from "../shared/file-before.ts";
import { StreamJsonCalls, resultText } from "../shared/stream-json-calls.ts";
import type { EndedCall, ResultFacts } from "../shared/stream-json-calls.ts";
import { describeCall, mcpName } from "../shared/tool-call.ts";
import type { ToolCall } from "../shared/tool-call.ts";
import { nativeNames } from "../shared/tool-filter.ts";

/** What is not here and no MCP tool is `other`, which the policy treats as able to do anything. */
const toolNames: ReadonlyMap<string, Tool> = new Map<string, Tool>([
  ["Bash", "shell"],
  ["Read", "read"],
  ["Edit", "edit"],
  ["Write", "write"],
  ["Grep", "grep"],
  ["Glob", "glob"],
  ["Agent", "task"],
  ["Task", "task"],
  ["TodoWrite", "plan"],
  ["TaskCreate", "plan"],
  ["TaskUpdate", "plan"],
  ["TaskList", "plan"],
  ["TaskGet", "plan"],
  ["WebFetch", "web_fetch"],
  ["WebSearch", "web_search"],
  ["AskUserQuestion", "question"],
  ["ExitPlanMode", "plan"],
  ["EnterPlanMode", "mode"],
  ["NotebookEdit", "notebook"],
  ["MultiEdit", "edit"],
  ["NotebookRead", "read"],
  ["LS", "list"],
  ["ToolSearch", "list"],
  ["ListAgents", "list"],
  ["CronList", "list"],
  ["Monitor", "shell"],
  ["PowerShell", "shell"],
  ["BashOutput", "shell"],
  ["KillShell", "shell"],
  ["TaskOutput", "task"],
  ["TaskStop", "task"],
  ["SendMessage", "task"],
  ["ListMcpResourcesTool", "mcp"],
  ["ReadMcpResourceTool", "mcp"],
  // Tools that run at the model's service: their calls stand in the model's own messages.
  ["web_search", "web_search"],
  ["web_fetch", "web_fetch"],
]);

export function canonicalTool(nativeName: string): Tool {
  return toolNames.get(nativeName) ?? (mcpName(nativeName) === undefined ? "other" : "mcp");
}

export function toolCall(nativeName: string, input: unknown, cwd: string): ToolCall {
  return describeCall(canonicalTool(nativeName), nativeName, input, { cwd, firstLine: 1 });
}

/**
 * The spelling of a tool filter for Claude Code. `mcp__*` forbids every MCP tool, but does not allow any: for that the agent wants the
 * name of the server (`mcp__files`).
 */
export function nativeToolNames(canonicalOrNative: string): string[] {
  return nativeNames(canonicalOrNative, ownNames);
}

/** Tools that run at the model's service are not in a filter. */
const ownNames = new Map([...toolNames].filter(([native, tool]) => native !== tool));

export class Calls extends StreamJsonCalls {
  constructor(cwd: string, outlives?: (parent: string | undefined) => boolean) {
    const plan = new Plan();
    super({
      describe: (nativeName, input) => toolCall(nativeName, input, cwd),
      outcome: outcomeOf,
      // A subagent keeps a list of its own, which is not the plan of the session.
      effects: (call, said, structured) => [
        fileChanged(call, structured, said, cwd),
        call.parent === undefined ? plan.after(call.nativeName, call.input, structured) : undefined,
      ],
      ...(outlives && { outlives }),
    });
  }
}

/** What the model is told about a call that was refused or interrupted. */
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
  const message =
    reason === "cancelled" && toModel.test(plain) ? "It was stopped." : clipText(plain, defaultLimits.inlineBytes).text;
  const error: AgentEventOf<"tool.failed">["error"] = { message: message || "The tool failed and did not say why." };
  const exitCode = /^Exit code (\d+)/.exec(plain)?.[1];
  if (exitCode !== undefined) error.exitCode = Number(exitCode);
  return { output, failed: { error, reason } };
}

/** A long output of a command is in a file of the agent's; its model is told of that, and of the beginning only a little. */
function longOutput(structured: unknown): { beginning: string; bytes: number } | undefined {
  const found = record(structured);
  const bytes = number(found["persistedOutputSize"]);
  const beginning = text(found["stdout"]);
  return bytes === undefined || beginning === undefined ? undefined : { beginning, bytes };
}

/** A subagent's report stands in the structured result without the words that were meant for the model only. */
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

/** The agent words a refusal and an interruption alike; only what it adds beside the text tells them apart. */
function reasonOf({ structured, meta, stopped }: ResultFacts, said: string): AgentEventOf<"tool.failed">["reason"] {
  if (stopped !== undefined) return stopped;
  if (record(meta["permission_decision"])["decision"] === "reject" || meta["non_execution_kind"] === "permission-rule")
    return "denied";
  if (meta["non_execution_kind"] === "user-rejected" || record(structured)["interrupted"] === true) return "cancelled";
  if (toModel.test(said)) return "cancelled";
  return /^(Exit code \d+\s+)?Command timed out/.test(said) ? "timeout" : "error";
}

/** The agent's to-do list, kept by one tool that writes the whole list or by several that change one entry each. */
export class Plan {
  #entries = new Map<string, PlanEntry>();

  /** After a call that succeeded. */
  after(nativeName: string, input: unknown, result: unknown): AgentEvent | undefined {
    const given = record(input);
    const found = record(result);
    switch (nativeName) {
      case "TodoWrite":
        this.#entries = entriesOf(list(found["newTodos"] ?? given["todos"]), "content");
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

  #update(given: JsonObject): boolean {
    const id = text(given["taskId"]) ?? "";
    const entry = this.#entries.get(id);
    if (entry === undefined) return false;
    if (given["status"] === "deleted") this.#entries.delete(id);
    else
      this.#entries.set(id, {
        text: text(given["subject"]) ?? entry.text,
        status: statusOf(given["status"]) ?? entry.status,
      });
    return true;
  }
}

function entriesOf(items: readonly unknown[], named: "content" | "subject"): Map<string, PlanEntry> {
  const entries = items
    .filter(isRecord)
    .map((item, index): [string, PlanEntry] => [
      text(item["id"]) ?? String(index),
      { text: text(item[named]) ?? "", status: statusOf(item["status"]) ?? "pending" },
    ]);
  return new Map(entries.filter(([, entry]) => entry.text !== ""));
}

function statusOf(status: unknown): PlanEntry["status"] | undefined {
  return status === "pending" || status === "in_progress" || status === "completed" ? status : undefined;
}

/** The file that a call changed, where it succeeded. The result of a subagent has no structure: then the input names the file. */
export function fileChanged(
  call: EndedCall,
  result: unknown,
  said: string,
  cwd: string,
): AgentEventOf<"file.changed"> | undefined {
  const tool = canonicalTool(call.nativeName);
  if (tool !== "write" && tool !== "edit" && tool !== "notebook") return undefined;
  const input = record(call.input);
  const found = record(result);
  const named = found["filePath"] ?? found["notebook_path"] ?? input["file_path"] ?? input["notebook_path"];
  const path = text(named);
  if (path === undefined || text(found["error"]) !== undefined) return undefined;
  const created = isRecord(result) ? found["type"] === "create" : said.startsWith("File created");
  const place = displayPath(path, cwd);
  const event: AgentEventOf<"file.changed"> = {
    type: "file.changed",
    path: place,
    op: created ? "create" : "modify",
    callId: call.callId,
    parent: call.parent,
  };
  const diff = diffOf(place, isRecord(result) ? found : { content: input["content"] }, created);
  return withDiff(event, diff);
}

function diffOf(path: string, found: JsonObject, created: boolean): string | undefined {
  if (created) return typeof found["content"] === "string" ? unifiedDiff(path, undefined, found["content"]) : undefined;
  const { original_file: before, updated_file: after } = found;
  if (typeof before === "string" && typeof after === "string") return unifiedDiff(path, before, after);
  const hunks = list(found["structuredPatch"]).filter(isRecord).map(hunkOf);
  return hunks.length > 0 ? `--- a/${path}\n+++ b/${path}\n${hunks.join("")}` : undefined;
}

function hunkOf(hunk: JsonObject): string {
  const range = (start: unknown, lines: unknown) => `${number(start) ?? 0},${number(lines) ?? 0}`;
  const header = `@@ -${range(hunk["oldStart"], hunk["oldLines"])} +${range(hunk["newStart"], hunk["newLines"])} @@\n`;
  return (
    header +
    texts(hunk["lines"])
      .map((line) => `${line}\n`)
      .join("")
  );
}
