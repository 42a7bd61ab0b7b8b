/** History of Codex, which keeps each conversation as a rollout file in a folder per day. */
import type { AgentEventOf } from "../../events/types.ts";
import { isRecord, list, parseJson, record, records, text, texts, type JsonObject } from "../../protocols/json.ts";
import type { AgentHistory, PastPrompt } from "../contract.ts";
import { jsonlHistory, type PastReader } from "../shared/history/jsonl.ts";
import { pastPrompt, type PastConversation } from "../shared/history/past-conversation.ts";
import { factsOf, failures } from "./failures.ts";
import { encodeState } from "./program.ts";
import { filesChanged, itemCall, namedCall, type ToolCall } from "./tools.ts";
import { toldOutcome } from "./translate-calls.ts";
import { planEntries } from "./translate-items.ts";

const rollout = /^(?:sessions\/\d{4}\/\d\d\/\d\d|archived_sessions)\/rollout-[\w-]+\.jsonl$/;

export function history(codexHome: string): AgentHistory {
  return jsonlHistory({
    folder: codexHome,
    depth: 4,
    files: rollout,
    state: encodeState,
    reader: (past) => new CodexPast(past),
  });
}

/** The prompt in an `event_msg`; older versions have a separate message for it. */
function promptOf(event: JsonObject): PastPrompt | undefined {
  const item = record(event["item"]);
  if (event["type"] === "user_message") return asPrompt(texts([event["message"]]), list(event["images"]).length);
  if (event["type"] !== "item_completed" || item["type"] !== "UserMessage") return undefined;
  const parts = records(item["content"]);
  const said = parts.flatMap((part) => (part["type"] === "text" ? (text(part["text"]) ?? []) : []));
  const images = parts.filter((part) => part["type"] === "image" || part["type"] === "local_image");
  return asPrompt(said, images.length);
}

/** A prompt without text still begins a turn. */
function asPrompt(said: readonly string[], images: number): PastPrompt {
  return pastPrompt(said, images) ?? { text: "" };
}

function textsIn(parts: unknown): string[] {
  return records(parts).map((part) => text(part["text"]) ?? "");
}

export class CodexPast implements PastReader {
  readonly #past: PastConversation;
  /** Native names of calls that have not ended, by call id. */
  readonly #open = new Map<string, string>();
  readonly #changes = new Map<string, readonly AgentEventOf<"file.changed">[]>();

  constructor(past: PastConversation) {
    this.#past = past;
  }

  get #cwd(): string {
    return this.#past.cwd ?? "";
  }

  line(entry: JsonObject): void {
    const past = this.#past.at(text(entry["timestamp"]));
    const payload = record(entry["payload"]);
    switch (entry["type"]) {
      case "session_meta":
        // A copied conversation repeats the `session_meta` line of the original further down, so the first one counts.
        past.id ??= text(payload["id"]);
        past.ofSubagent ||= isRecord(payload["source"]) && "subagent" in payload["source"];
        past.cwd ??= text(payload["cwd"]);
        past.agentVersion ??= text(payload["cli_version"]);
        return;
      case "turn_context":
        past.model = text(payload["model"]) ?? past.model;
        return;
      case "response_item":
        return this.#item(payload);
      case "event_msg":
        return this.#event(payload);
      case "compacted":
        return past.event({ type: "context.compacted", trigger: "auto" });
    }
  }

  #event(event: JsonObject): void {
    const prompt = promptOf(event);
    if (prompt !== undefined) {
      this.#open.clear();
      return this.#past.prompt(prompt);
    }
    const item = record(event["item"]);
    switch (event["type"]) {
      case "task_complete":
      case "turn_complete": {
        const { message, codex_error_info: codexErrorInfo } = record(event["error"]);
        if (!isRecord(event["error"])) return this.#past.end("done");
        const { outcome, error } = failures.ending(factsOf({ message, codexErrorInfo }));
        return this.#past.end(outcome, error);
      }
      case "turn_aborted":
        return this.#past.end("cancelled");
      case "item_completed":
        if (item["type"] === "FileChange" && item["status"] === "completed") this.#changed(item, item["id"]);
        return;
      case "patch_apply_end":
        if (event["success"] === true) this.#changed(event, event["call_id"]);
    }
  }

  #changed(item: JsonObject, id: unknown): void {
    const callId = text(id);
    const changes = callId && filesChanged(patchItem(item["changes"]), callId, undefined, this.#cwd);
    if (callId !== undefined && changes) this.#changes.set(callId, changes);
  }

  #item(item: JsonObject): void {
    switch (item["type"]) {
      case "message":
        return item["role"] === "assistant" ? this.#past.message(textsIn(item["content"]).join("")) : undefined;
      case "reasoning":
        // The thinking itself is encrypted; its summary, if any, is not.
        return this.#past.thought(textsIn(item["summary"]).join("\n\n"));
      case "function_call_output":
      case "custom_tool_call_output":
        return this.#ended(text(item["call_id"]) ?? "", item["output"]);
      default:
        return this.#started(item);
    }
  }

  #started(item: JsonObject): void {
    const call = madeCall(item, this.#cwd);
    const callId = text(item["call_id"]) ?? text(item["id"]);
    if (call === undefined || callId === undefined || this.#open.has(callId)) return;
    this.#open.set(callId, call.nativeName);
    const { tool, nativeName, kind, title, input, locations } = call;
    this.#past.event({ type: "tool.started", callId, tool, nativeName, kind, title, input, locations });
    if (nativeName === "update_plan")
      this.#past.event({ type: "plan.updated", entries: planEntries(record(input)["plan"]) });
    // A search at the service has no output of its own.
    if (item["type"] === "web_search_call") this.#ended(callId, "");
  }

  #ended(callId: string, told: unknown): void {
    const name = this.#open.get(callId);
    if (name === undefined) return;
    this.#open.delete(callId);
    const said = isRecord(told) ? told["content"] : told;
    if (typeof said === "string" && /^(?:Wall time: .*\n)?aborted by user/.test(said))
      return this.#past.event({
        type: "tool.failed",
        callId,
        error: { message: "It was stopped." },
        reason: "cancelled",
      });
    const { output, exitCode, failed } = toldOutcome(name, said);
    if (failed !== undefined) return this.#past.event({ type: "tool.failed", callId, ...failed });
    this.#past.event({ type: "tool.completed", callId, output, exitCode });
    for (const change of this.#changes.get(callId) ?? []) this.#past.event(change);
    this.#changes.delete(callId);
  }
}

function madeCall(item: JsonObject, cwd: string): ToolCall | undefined {
  const name = text(item["name"]) ?? "unknown";
  switch (item["type"]) {
    case "local_shell_call":
      return commandCall(record(item["action"])["command"], cwd);
    case "web_search_call":
      return itemCall({ type: "webSearch", action: item["action"] }, cwd);
    case "custom_tool_call":
      return name === "apply_patch"
        ? itemCall(patchText(text(item["input"]) ?? ""), cwd)
        : namedCall({ name, input: item["input"] }, cwd);
    case "function_call": {
      const input = parseJson(item["arguments"], item["arguments"]);
      const { cmd, command, input: patch } = record(input);
      if (name === "apply_patch") return itemCall(patchText(text(patch) ?? ""), cwd);
      if (cmd !== undefined || command !== undefined) return commandCall(cmd ?? command, cwd);
      return namedCall({ name, namespace: text(item["namespace"]), input }, cwd);
    }
    default:
      return undefined;
  }
}

/** A string, or the words of `bash -lc "..."`. */
function commandCall(command: unknown, cwd: string): ToolCall | undefined {
  const words = texts(command);
  const line = text(command) ?? (words.length === 3 && /^-l?c$/.test(words[1]!) ? words[2]! : words.join(" "));
  return itemCall({ type: "commandExecution", command: line }, cwd);
}

const patchLine = /^\*\*\* (Add File|Update File|Delete File|Move to): (.+)$/gm;

/** Converts a patch to a `fileChange` item without hunks. */
function patchText(patch: string): JsonObject {
  const changes: { path: string; kind: { type: string; move_path?: string } }[] = [];
  for (const [, what = "", file = ""] of patch.matchAll(patchLine)) {
    const last = changes.at(-1);
    if (what !== "Move to") changes.push({ path: file.trim(), kind: { type: what.split(" ")[0]!.toLowerCase() } });
    else if (last !== undefined) last.kind.move_path = file.trim();
  }
  return { type: "fileChange", changes };
}

/** Converts applied changes to a `fileChange` item of the app server. */
function patchItem(changes: unknown): JsonObject {
  const items = Object.entries(record(changes)).map(([path, change]) => {
    const { type, content, unified_diff: hunks, move_path } = record(change);
    return { path, kind: { type, move_path }, diff: text(hunks) ?? content };
  });
  return { type: "fileChange", changes: items };
}
