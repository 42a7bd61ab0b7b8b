/** Tool calls, from their start to what came of them. */
import type { AgentEvent } from "../../events/types.ts";
import { record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import { fileChanged } from "./tools-files.ts";
import type { FileBefore } from "../shared/file-before.ts";
import { failureOf, outputOf, textOf } from "./tools-results.ts";
import type { Places } from "./paths.ts";
import { toolCall } from "./tools.ts";

interface OpenCall {
  input: unknown;
  readonly nativeName: string;
  /** What it has put out so far. */
  shown: string;
  /** Where it was held: the file it may change, as it was. */
  before?: FileBefore | undefined;
  denied?: boolean;
}

export class Calls {
  readonly #places: Places;
  readonly #open = new Map<string, OpenCall>();

  constructor(places: Places) {
    this.#places = places;
  }

  started(message: Wire): AgentEvent[] {
    const callId = text(message["toolCallId"]);
    if (callId === undefined || this.#open.has(callId)) return [];
    const nativeName = text(message["toolName"]) ?? "unknown";
    const input = message["args"] ?? {};
    this.#open.set(callId, { input, nativeName, shown: "" });
    const { tool, kind, title, locations } = toolCall(nativeName, input, this.#places);
    return [{ type: "tool.started", callId, tool, nativeName, kind, title, input, locations }];
  }

  /** It waits for Reins; from here what it may change is known. */
  held(callId: string, before: FileBefore | undefined): void {
    const call = this.#open.get(callId);
    if (call !== undefined) call.before = before;
  }

  /** It runs with another input than the model's. */
  changed(callId: string, input: unknown, before: FileBefore | undefined): AgentEvent[] {
    const call = this.#open.get(callId);
    if (call === undefined) return [];
    Object.assign(call, { input, before });
    const { title, locations } = toolCall(call.nativeName, input, this.#places);
    return [{ type: "tool.progress", callId, input, title, locations }];
  }

  denied(callId: string): void {
    const call = this.#open.get(callId);
    if (call !== undefined) call.denied = true;
  }

  /** All that it has put out so far, or the last part of it once that is long. */
  progress(message: Wire): AgentEvent[] {
    const callId = text(message["toolCallId"]);
    const call = callId === undefined ? undefined : this.#open.get(callId);
    const shown = textOf(record(message["partialResult"])["content"]);
    if (callId === undefined || call === undefined || shown === "" || shown === call.shown) return [];
    const output = newPart(call.shown, shown);
    call.shown = shown;
    return output === "" ? [] : [{ type: "tool.progress", callId, output }];
  }

  ended(message: Wire): AgentEvent[] {
    const callId = text(message["toolCallId"]);
    const call = callId === undefined ? undefined : this.#open.get(callId);
    if (callId === undefined || call === undefined) return [];
    this.#open.delete(callId);
    const result = record(message["result"]);
    if (message["isError"] === true)
      return [{ type: "tool.failed", callId, ...failureOf(result, call.denied === true) }];
    const events: AgentEvent[] = [{ type: "tool.completed", callId, output: outputOf(result) }];
    if (call.before !== undefined)
      events.push(fileChanged(callId, call.before, record(call.input), record(result["details"]), this.#places.cwd));
    return events;
  }

  turnEnded(): void {
    this.#open.clear();
  }
}

/** As much as identifies where one part ends in the next. */
const overlap = 200;

function newPart(before: string, now: string): string {
  if (now.startsWith(before)) return now.slice(before.length);
  const end = before.slice(-overlap);
  const at = now.lastIndexOf(end);
  return at < 0 ? "" : now.slice(at + end.length);
}
