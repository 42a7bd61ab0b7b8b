/** History of Claude Code, which keeps each conversation as a file of JSON lines in a folder per workspace. */
import { basename, join } from "node:path";
import { list, record, records, text, type JsonObject } from "../../protocols/json.ts";
import type { AgentHistory, PastPrompt } from "../contract.ts";
import { jsonlHistory, type PastReader } from "../shared/history/jsonl.ts";
import { pastPrompt, type PastConversation } from "../shared/history/past-conversation.ts";
import { failureSaid, failures } from "./failures.ts";
import { encodeState } from "./program.ts";
import { Calls } from "./tools.ts";

/** Conversations of subagents are in subfolders; their results are in the main conversation. */
const conversation = /^[^/]+\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.jsonl$/;

export function history(configFolder: string): AgentHistory {
  return jsonlHistory({
    folder: join(configFolder, "projects"),
    depth: 1,
    files: conversation,
    state: encodeState,
    reader(past, path) {
      past.id = basename(path, ".jsonl");
      return new ClaudePast(past);
    },
  });
}

/** False for lines of subagents and lines that are only for the model. */
function isShown(entry: JsonObject): boolean {
  return entry["isSidechain"] !== true && entry["isMeta"] !== true && entry["isCompactSummary"] !== true;
}

export function promptOf(entry: JsonObject): PastPrompt | undefined {
  const said = saidIn(entry);
  const words = said.filter((part) => !forModel.test(part) && !interrupted.test(part)).map(asTyped);
  const images = records(record(entry["message"])["content"]).filter((block) => block["type"] === "image");
  return pastPrompt(words, images.length);
}

/** The program records an interruption as if the user had said it. */
function isInterruption(entry: JsonObject): boolean {
  return saidIn(entry).some((part) => interrupted.test(part));
}

function saidIn(entry: JsonObject): string[] {
  const { content } = record(entry["message"]);
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : list(content).map(record);
  return blocks.flatMap((block) => (block["type"] === "text" ? (text(block["text"]) ?? []) : []));
}

const forModel =
  /^\s*<(?:system-reminder|local-command-|bash-std|task-notification|command-message>(?!.*<command-name>))/s;
const interrupted = /^\[Request interrupted by user/;

/** The file keeps slash commands in the markup for the model; this restores what the user typed. */
function asTyped(said: string): string {
  const [, command, rest = ""] = /<command-name>([^<]*)<\/command-name>(.*)$/s.exec(said) ?? [];
  if (command !== undefined) {
    const args = /<command-args>([^<]*)<\/command-args>/.exec(rest)?.[1] ?? "";
    return `${command} ${args}`.trim();
  }
  const shell = /^<bash-input>([\s\S]*)<\/bash-input>$/.exec(said)?.[1];
  return shell === undefined ? said : `! ${shell}`;
}

export class ClaudePast implements PastReader {
  readonly #past: PastConversation;
  readonly #calls: Calls;

  constructor(past: PastConversation) {
    this.#past = past;
    this.#calls = new Calls(past.cwd ?? "");
  }

  line(entry: JsonObject): void {
    const past = this.#past;
    const { type } = entry;
    if (type !== "user" && type !== "assistant")
      past.title = text(entry["customTitle"]) ?? text(entry["aiTitle"]) ?? text(entry["summary"]) ?? past.title;
    if (!isShown(entry) || !past.isNew(text(entry["uuid"]))) return;
    past.at(text(entry["timestamp"]));
    past.cwd ??= text(entry["cwd"]);
    past.agentVersion = text(entry["version"]) ?? past.agentVersion;
    if (type === "user") this.#user(entry);
    if (type === "assistant") this.#assistant(entry, record(entry["message"]));
    if (type === "system" && entry["subtype"] === "compact_boundary") {
      const trigger = text(record(entry["compactMetadata"])["trigger"]) ?? "auto";
      past.event({ type: "context.compacted", trigger });
    }
  }

  #user(entry: JsonObject): void {
    const results = list(record(entry["message"])["content"]).map(record);
    const meta = results.map(({ tool_use_id: id }) => ({ id, permission_decision: entry["permissionDecision"] }));
    const message = { ...entry, tool_use_result: entry["toolUseResult"], tool_result_meta: meta };
    for (const event of this.#calls.results(message)) this.#past.event(event);
    if (isInterruption(entry)) this.#past.end("cancelled");
    const prompt = promptOf(entry);
    if (prompt === undefined) return;
    this.#calls.turnEnded();
    this.#past.prompt(prompt);
  }

  #assistant(entry: JsonObject, answer: JsonObject): void {
    const said = { ...entry, is_api_error_message: entry["isApiErrorMessage"] };
    const failure = failureSaid(said, answer);
    const at = Date.parse(text(entry["timestamp"]) ?? "");
    if (failure !== undefined)
      return this.#past.end("failed", failures.error(failure, Number.isNaN(at) ? undefined : at));
    const model = text(answer["model"]);
    // Messages of the program itself have a model name in angle brackets.
    if (model?.startsWith("<") === false) this.#past.model = model;
    for (const block of records(answer["content"])) this.#block(block);
  }

  #block(block: JsonObject): void {
    switch (block["type"]) {
      case "text":
        return this.#past.message(text(block["text"]) ?? "");
      case "thinking":
        return this.#past.thought(text(block["thinking"]) ?? "");
      case "tool_use":
      case "server_tool_use":
        for (const event of this.#calls.started(block, undefined)) this.#past.event(event);
    }
  }
}
