/** Passes pi's messages about tool calls to the call tracker. */
import type { AgentEvent } from "../../events/types.ts";
import { record, text, type JsonObject } from "../../protocols/json.ts";
import { CallTracker, endOf, type DescribedCall } from "../shared/calls.ts";
import { resultText } from "../shared/stream-json-calls.ts";
import type { FileBefore } from "../shared/file-before.ts";
import { fileChanged, outcomeOf, toolCall, type Places } from "./tools.ts";

export class Calls extends CallTracker {
  readonly #places: Places;
  readonly #allowed = new Set<string>();

  constructor(places: Places) {
    super({ reusesIds: true });
    this.#places = places;
  }

  allow(callId: string): void {
    this.#allowed.add(callId);
  }

  mayRun(callId: string): boolean {
    return this.#allowed.has(callId);
  }

  override turnEnded(): void {
    super.turnEnded();
    this.#allowed.clear();
  }

  started(message: JsonObject): AgentEvent[] {
    const callId = text(message["toolCallId"]);
    if (callId === undefined) return [];
    return this.start(callId, this.#described(text(message["toolName"]) ?? "unknown", message["args"] ?? {}));
  }

  inputChanged(callId: string, input: unknown, before: FileBefore | undefined): AgentEvent[] {
    const open = this.find(callId);
    return open === undefined ? [] : this.changed(callId, this.#described(open.call.nativeName, input), before);
  }

  progress(message: JsonObject): AgentEvent[] {
    return this.grew(text(message["toolCallId"]) ?? "", resultText(record(message["partialResult"])["content"]));
  }

  ended(message: JsonObject): AgentEvent[] {
    const callId = text(message["toolCallId"]) ?? "";
    const { open, stopped, before } = this.close(callId) ?? {};
    if (open === undefined) return [];
    const result = record(message["result"]);
    const outcome = outcomeOf(result, message["isError"] === true, stopped);
    const events = [endOf(callId, outcome)];
    if (before !== undefined && outcome.failed === undefined)
      events.push(fileChanged(callId, before, record(open.call.input), record(result["details"]), this.#places.cwd));
    return events;
  }

  #described(nativeName: string, input: unknown): DescribedCall {
    return { ...toolCall(nativeName, input, this.#places), input };
  }
}
