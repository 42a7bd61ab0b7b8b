/** From the lines in which Qwen Code writes a conversation down to what happened in it. Pure. */
import { isRecord, list, number, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { PastPrompt } from "../contract.ts";
import { withDiff } from "../shared/file-diff.ts";
import type { PastReader } from "../shared/jsonl-history.ts";
import { PastTurns } from "../shared/past-turns.ts";
import { errorOf } from "./errors.ts";
import type { Failure } from "./errors.ts";
import { Calls } from "./translate-calls.ts";

export function partsOf(entry: Wire): Wire[] {
  return list(record(entry["message"])["parts"]).filter(isRecord);
}

/** What a person said, of a `user` line. */
export function promptOf(entry: Wire): PastPrompt | undefined {
  const { provenance } = entry;
  // Older versions do not tell where it comes from.
  if (provenance !== undefined && provenance !== "real_user") return undefined;
  const parts = partsOf(entry);
  const said = parts
    .flatMap((part) => text(part["text"]) ?? [])
    .filter((part) => !part.startsWith("<system-reminder>"));
  const images = parts.filter((part) => isRecord(part["inlineData"]));
  if (said.length === 0 && images.length === 0) return undefined;
  const attachments = images.map(() => ({ kind: "image" as const, name: "image" }));
  return { text: said.join("\n"), ...(attachments.length > 0 ? { attachments } : {}) };
}

export class QwenPast implements PastReader {
  readonly turns = new PastTurns();
  readonly #calls: Calls;
  readonly #seen = new Set<string>();
  #failure: Failure | undefined;

  constructor(cwd: string) {
    this.#calls = new Calls(cwd);
  }

  see(entry: Wire): void {
    const id = text(entry["uuid"]);
    if (id === undefined || this.#seen.has(id)) return;
    this.#seen.add(id);
    this.turns.at(text(entry["timestamp"]));
    switch (entry["type"]) {
      case "user":
        return this.#user(promptOf(entry));
      case "assistant":
        return partsOf(entry).forEach((part) => this.#part(part));
      case "tool_result":
        return this.#results(entry);
      case "system":
        if (entry["subtype"] === "chat_compression") this.turns.event({ type: "context.compacted", trigger: "auto" });
        return this.#request(record(record(entry["systemPayload"])["uiEvent"]));
    }
  }

  end(): void {
    if (this.#failure !== undefined) this.turns.end("failed", errorOf(this.#failure));
    this.#failure = undefined;
    this.turns.over();
  }

  /** A request to the model that failed, and was not followed by one that did not, ended its turn. */
  #request(event: Wire): void {
    if (text(event["subagent_id"]) !== undefined) return;
    if (event["event.name"] === "qwen-code.api_response") this.#failure = undefined;
    if (event["event.name"] === "qwen-code.api_error")
      this.#failure = { status: number(event["status_code"]), said: text(event["error_message"]) ?? "" };
  }

  #user(prompt: PastPrompt | undefined): void {
    if (prompt === undefined) return;
    this.end();
    this.#calls.turnEnded();
    this.turns.prompt(prompt);
  }

  #part(part: Wire): void {
    const said = text(part["text"]);
    if (said !== undefined) return part["thought"] === true ? this.turns.thought(said) : this.turns.message(said);
    const { id, name, args } = record(part["functionCall"]);
    for (const event of this.#calls.started({ id, name, input: args }, undefined)) this.turns.event(event);
  }

  #results(entry: Wire): void {
    const { status, resultDisplay, errorType } = record(entry["toolCallResult"]);
    const content = partsOf(entry).flatMap((part) => {
      const { id, response } = record(part["functionResponse"]);
      const callId = text(id);
      if (callId === undefined) return [];
      if (errorType === "execution_denied") this.#calls.stopped(callId, "denied");
      if (status === "cancelled") this.#calls.stopped(callId, "cancelled");
      const { output, error } = record(response);
      const failed = error !== undefined || (status !== undefined && status !== "success");
      return [
        { type: "tool_result", tool_use_id: callId, content: text(error) ?? text(output) ?? "", is_error: failed },
      ];
    });
    for (const event of this.#calls.results({ message: { content } }))
      this.turns.event(event.type === "file.changed" ? withDiff(event, record(resultDisplay)["fileDiff"]) : event);
  }
}
