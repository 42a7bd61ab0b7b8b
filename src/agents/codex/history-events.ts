/** From the lines of a rollout, in which Codex writes a conversation down, to what happened in it. Pure. */
import { isRecord, list, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { AgentEventOf } from "../../events/types.ts";
import type { PastPrompt } from "../contract.ts";
import type { PastReader } from "../shared/jsonl-history.ts";
import { PastTurns } from "../shared/past-turns.ts";
import { endingOf } from "./errors.ts";
import { madeCall, patchItem, planIn } from "./history-calls.ts";
import { filesChanged } from "./tools-files.ts";
import { toldOutcome } from "./tools-results.ts";

/** What a person said, of an `event_msg`; older versions had a message of its own for it. */
export function promptOf(event: Wire): PastPrompt | undefined {
  const item = record(event["item"]);
  if (event["type"] === "user_message") return promptWith(text(event["message"]), list(event["images"]).length);
  if (event["type"] !== "item_completed" || item["type"] !== "UserMessage") return undefined;
  const parts = list(item["content"]).map(record);
  const said = parts.flatMap((part) => (part["type"] === "text" ? (text(part["text"]) ?? []) : []));
  const images = parts.filter((part) => part["type"] === "image" || part["type"] === "local_image");
  return promptWith(said.join("\n"), images.length);
}

function promptWith(said = "", images: number): PastPrompt {
  const attachments = Array.from({ length: images }, () => ({ kind: "image" as const, name: "image" }));
  return { text: said, ...(images > 0 ? { attachments } : {}) };
}

/** What the agent said, of a `response_item`. */
export function answerIn(item: Wire): string | undefined {
  if (item["type"] !== "message" || item["role"] !== "assistant") return undefined;
  return list(item["content"])
    .map((part) => text(record(part)["text"]) ?? "")
    .join("");
}

export class CodexPast implements PastReader {
  readonly turns = new PastTurns();
  readonly #cwd: string;
  /** The native names of calls that have no end yet. */
  readonly #open = new Map<string, string>();
  /** What calls have changed whose end is not written down yet. */
  readonly #changes = new Map<string, readonly AgentEventOf<"file.changed">[]>();

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  see(entry: Wire): void {
    this.turns.at(text(entry["timestamp"]));
    const payload = record(entry["payload"]);
    switch (entry["type"]) {
      case "response_item":
        return this.#item(payload);
      case "event_msg":
        return this.#event(payload);
      case "compacted":
        return this.turns.event({ type: "context.compacted", trigger: "auto" });
    }
  }

  end(): void {
    this.turns.over();
  }

  #event(event: Wire): void {
    const prompt = promptOf(event);
    if (prompt !== undefined) {
      this.#open.clear();
      return this.turns.prompt(prompt);
    }
    const item = record(event["item"]);
    switch (event["type"]) {
      case "task_complete":
      case "turn_complete": {
        const { message, codex_error_info: codexErrorInfo } = record(event["error"]);
        if (!isRecord(event["error"])) return this.turns.end("done");
        const { outcome, error } = endingOf({ message, codexErrorInfo }, undefined);
        return this.turns.end(outcome, error);
      }
      case "turn_aborted":
        return this.turns.end("cancelled");
      case "item_completed":
        if (item["type"] === "FileChange" && item["status"] === "completed") this.#changed(item, item["id"]);
        return;
      case "patch_apply_end":
        if (event["success"] === true) this.#changed(event, event["call_id"]);
    }
  }

  #changed(item: Wire, id: unknown): void {
    const callId = text(id);
    const changes = callId && filesChanged(patchItem(item["changes"]), callId, undefined, this.#cwd);
    if (callId !== undefined && changes) this.#changes.set(callId, changes);
  }

  #item(item: Wire): void {
    const answer = answerIn(item);
    if (answer !== undefined) return this.turns.message(answer);
    switch (item["type"]) {
      case "reasoning":
        // Its thoughts themselves are not readable; where it gives a summary of them, that is.
        return this.turns.thought(
          list(item["summary"])
            .map((part) => text(record(part)["text"]) ?? "")
            .join("\n\n"),
        );
      case "function_call_output":
      case "custom_tool_call_output":
        return this.#ended(text(item["call_id"]) ?? "", item["output"]);
      default:
        return this.#started(item);
    }
  }

  #started(item: Wire): void {
    const call = madeCall(item, this.#cwd);
    const callId = text(item["call_id"]) ?? text(item["id"]);
    if (call === undefined || callId === undefined || this.#open.has(callId)) return;
    this.#open.set(callId, call.nativeName);
    const { tool, nativeName, kind, title, input, locations } = call;
    this.turns.event({ type: "tool.started", callId, tool, nativeName, kind, title, input, locations });
    const plan = planIn(nativeName, input);
    if (plan !== undefined) this.turns.event(plan);
    // What runs at the model's service has no output of its own.
    if (item["type"] === "web_search_call") this.#ended(callId, "");
  }

  #ended(callId: string, told: unknown): void {
    const name = this.#open.get(callId);
    if (name === undefined) return;
    this.#open.delete(callId);
    const said = isRecord(told) ? told["content"] : told;
    if (typeof said === "string" && /^(?:Wall time: .*\n)?aborted by user/.test(said))
      return this.turns.event({
        type: "tool.failed",
        callId,
        error: { message: "It was stopped." },
        reason: "cancelled",
      });
    const { output, exitCode, failed } = toldOutcome(name, said);
    if (failed !== undefined) return this.turns.event({ type: "tool.failed", callId, ...failed });
    this.turns.event({ type: "tool.completed", callId, output, exitCode });
    for (const change of this.#changes.get(callId) ?? []) this.turns.event(change);
    this.#changes.delete(callId);
  }
}
