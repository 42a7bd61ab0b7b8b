/** From the lines in which Gemini CLI writes a conversation down to what happened in it. Pure. */
import { isRecord, list, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { PastPrompt } from "../contract.ts";
import type { PastReader } from "../shared/jsonl-history.ts";
import { PastTurns } from "../shared/past-turns.ts";
import { endOf, startOf } from "./history-calls.ts";

/** The messages of a line: one, or those of a conversation that was written down anew. */
export function messagesOf(entry: Wire): readonly Wire[] {
  if (text(entry["id"]) !== undefined) return [entry];
  return list(record(entry["$set"])["messages"]).filter(isRecord);
}

/** What a person said, of a `user` message; undefined for results of calls and for what the program says to its model. */
export function promptOf(message: Wire): PastPrompt | undefined {
  const { content } = message;
  const parts = typeof content === "string" ? [{ text: content }] : list(content).map(record);
  const said = parts.flatMap((part) => text(record(part)["text"]) ?? []).filter((part) => !forModel.test(part));
  const images = parts.filter((part) => isRecord(record(part)["inlineData"]));
  if (said.length === 0 && images.length === 0) return undefined;
  const attachments = images.map(() => ({ kind: "image" as const, name: "image" }));
  return { text: said.join("\n"), ...(attachments.length > 0 ? { attachments } : {}) };
}

const forModel = /^\s*<(?:session_context|system-reminder)>/;

export class GeminiPast implements PastReader {
  readonly turns = new PastTurns();
  readonly #cwd: string;
  readonly #seen = new Set<string>();
  readonly #started = new Set<string>();
  readonly #ended = new Set<string>();

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  see(entry: Wire): void {
    for (const message of messagesOf(entry)) this.#message(message);
  }

  end(): void {
    this.turns.over();
  }

  #message(message: Wire): void {
    const id = text(message["id"]);
    if (id === undefined) return;
    const time = text(message["timestamp"]);
    if (!this.#seen.has(id)) {
      this.#seen.add(id);
      this.turns.at(time);
      this.#said(message);
    }
    // All calls of a conversation may be in one message, which is written down again with each.
    for (const call of list(message["toolCalls"]).filter(isRecord)) this.#call(call);
  }

  #said(message: Wire): void {
    const said = text(message["content"]) ?? "";
    switch (message["type"]) {
      case "user": {
        const prompt = promptOf(message);
        if (prompt !== undefined) this.turns.prompt(prompt);
        return;
      }
      case "gemini":
        this.turns.thought(
          list(message["thoughts"])
            .map((thought) => text(record(thought)["description"]) ?? "")
            .join(" "),
        );
        return this.turns.message(said);
      case "error":
        return this.turns.event({ type: "notice", level: "error", code: "agent", message: said });
    }
  }

  #call(call: Wire): void {
    const callId = text(call["id"]);
    if (callId === undefined || this.#ended.has(callId)) return;
    this.turns.at(text(call["timestamp"]));
    if (!this.#started.has(callId)) {
      this.#started.add(callId);
      this.turns.event(startOf(callId, call, this.#cwd));
    }
    const end = endOf(callId, call, this.#cwd);
    if (end.length === 0) return;
    this.#ended.add(callId);
    for (const event of end) this.turns.event(event);
  }
}
