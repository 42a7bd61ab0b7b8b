/** History of Qwen Code, which keeps each conversation as a file of JSON lines in a folder per workspace. */
import { basename, join } from "node:path";
import type { FailureFacts } from "../../protocols/failure.ts";
import { isRecord, number, record, records, text, type JsonObject } from "../../protocols/json.ts";
import type { AgentHistory, PastPrompt } from "../contract.ts";
import { withDiff } from "../shared/file-diff.ts";
import { jsonlHistory, type PastReader } from "../shared/history/jsonl.ts";
import { pastPrompt, type PastConversation } from "../shared/history/past-conversation.ts";
import { failures } from "./failures.ts";
import { encodeState } from "./program.ts";
import { Calls } from "./tools.ts";

const conversation = /^[^/]+\/chats\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.jsonl$/;

export function history(runtimeFolder: string): AgentHistory {
  return jsonlHistory({
    folder: join(runtimeFolder, "projects"),
    depth: 2,
    files: conversation,
    state: encodeState,
    reader(past, path) {
      past.id = basename(path, ".jsonl");
      return new QwenPast(past);
    },
  });
}

function partsOf(entry: JsonObject): readonly JsonObject[] {
  return records(record(entry["message"])["parts"]);
}

/** Older versions have no `provenance`. */
function promptOf(entry: JsonObject): PastPrompt | undefined {
  const { provenance } = entry;
  if (provenance !== undefined && provenance !== "real_user") return undefined;
  const parts = partsOf(entry);
  const said = parts.flatMap((part) => text(part["text"]) ?? []);
  const images = parts.filter((part) => isRecord(part["inlineData"]));
  return pastPrompt(
    said.filter((part) => !part.startsWith("<system-reminder>")),
    images.length,
  );
}

export class QwenPast implements PastReader {
  readonly #past: PastConversation;
  readonly #calls: Calls;
  #failure: FailureFacts | undefined;

  constructor(past: PastConversation) {
    this.#past = past;
    this.#calls = new Calls(past.cwd ?? "");
  }

  line(entry: JsonObject): void {
    const past = this.#past;
    if (!past.isNew(text(entry["uuid"]))) return;
    past.at(text(entry["timestamp"]));
    past.cwd ??= text(entry["cwd"]);
    past.agentVersion = text(entry["version"]) ?? past.agentVersion;
    past.model = text(entry["model"]) ?? past.model;
    switch (entry["type"]) {
      case "user":
        return this.#user(promptOf(entry));
      case "assistant":
        return partsOf(entry).forEach((part) => this.#part(part));
      case "tool_result":
        return this.#results(entry);
      case "system":
        if (entry["subtype"] === "chat_compression") past.event({ type: "context.compacted", trigger: "auto" });
        return this.#request(record(record(entry["systemPayload"])["uiEvent"]));
    }
  }

  end(): void {
    if (this.#failure !== undefined) this.#past.end("failed", failures.error(this.#failure));
    this.#failure = undefined;
  }

  /** A failed request without a later answer ended its turn. */
  #request(event: JsonObject): void {
    if (text(event["subagent_id"]) !== undefined) return;
    if (event["event.name"] === "qwen-code.api_response") this.#failure = undefined;
    if (event["event.name"] === "qwen-code.api_error")
      this.#failure = { status: number(event["status_code"]), text: text(event["error_message"]) ?? "" };
  }

  #user(prompt: PastPrompt | undefined): void {
    if (prompt === undefined) return;
    this.end();
    this.#calls.turnEnded();
    this.#past.prompt(prompt);
  }

  #part(part: JsonObject): void {
    const said = text(part["text"]);
    if (said !== undefined) return part["thought"] === true ? this.#past.thought(said) : this.#past.message(said);
    const { id, name, args } = record(part["functionCall"]);
    for (const event of this.#calls.started({ id, name, input: args }, undefined)) this.#past.event(event);
  }

  #results(entry: JsonObject): void {
    const { status, resultDisplay, errorType } = record(entry["toolCallResult"]);
    const content = partsOf(entry).flatMap((part) => {
      const { id, response } = record(part["functionResponse"]);
      const callId = text(id);
      if (callId === undefined) return [];
      if (status === "cancelled") this.#calls.stopped(callId, "cancelled");
      else if (errorType === "execution_denied") this.#calls.stopped(callId, "denied");
      const { output, error } = record(response);
      const failed = error !== undefined || (status !== undefined && status !== "success");
      return [
        { type: "tool_result", tool_use_id: callId, content: text(error) ?? text(output) ?? "", is_error: failed },
      ];
    });
    for (const event of this.#calls.results({ message: { content } }))
      this.#past.event(event.type === "file.changed" ? withDiff(event, record(resultDisplay)["fileDiff"]) : event);
  }
}
