/** Tool calls of Claude Code and its descendants, from the `tool_use` block of an answer to the `tool_result` block. */
import type { AgentEvent } from "../../events/types.ts";
import { list, record, records, text } from "../../protocols/json.ts";
import type { JsonObject } from "../../protocols/json.ts";
import { CallTracker, endOf } from "./calls.ts";
import type { Outcome, StoppedBy } from "./calls.ts";
import type { ToolCall } from "./tool-call.ts";

export interface ResultFacts {
  readonly block: JsonObject;
  /** The tool's own structured result, where the line has one. */
  readonly structured: unknown;
  /** The entry of `tool_result_meta` for this call. */
  readonly meta: JsonObject;
  /** Why the call did not run, where that is known. */
  readonly stopped: StoppedBy | undefined;
}

export interface EndedCall {
  readonly callId: string;
  readonly nativeName: string;
  readonly input: unknown;
  readonly parent: string | undefined;
}

/** One agent's names of tools, and the meaning of their results. */
export interface CallWords {
  describe(nativeName: string, input: unknown): ToolCall;
  outcome(result: ResultFacts): Outcome;
  /** Further events of a call that succeeded: a changed file, a plan. */
  effects(call: EndedCall, said: string, structured: unknown): (AgentEvent | undefined)[];
  /** The inner call, where the model made it through another tool. */
  unwrapped?(nativeName: string, input: unknown): { readonly name: string; readonly input: unknown };
  /** A subagent that works on in the background when the turn ends. */
  outlives?(parent: string | undefined): boolean;
}

export class StreamJsonCalls extends CallTracker {
  readonly #words: CallWords;

  constructor(words: CallWords) {
    super();
    this.#words = words;
  }

  started(block: JsonObject, parent: string | undefined): AgentEvent[] {
    const callId = text(block["id"]);
    if (callId === undefined || this.isKnown(callId)) return [];
    const [given, wanted] = [text(block["name"]) ?? "unknown", block["input"] ?? {}];
    const { name, input } = this.#words.unwrapped?.(given, wanted) ?? { name: given, input: wanted };
    return this.start(callId, { ...this.#words.describe(name, input), input }, parent);
  }

  /** The results in a `user` line. */
  results(message: JsonObject): AgentEvent[] {
    const results = records(record(message["message"])["content"]).filter(({ type }) => type === "tool_result");
    // The structured result stands beside the line and does not say which call it belongs to.
    const structured = results.length === 1 ? message["tool_use_result"] : undefined;
    const metas = records(message["tool_result_meta"]);
    return results.flatMap((block) => {
      const meta = metas.find(({ id }) => id === block["tool_use_id"]);
      return this.ended(block, text(message["parent_tool_use_id"]), structured, meta);
    });
  }

  ended(block: JsonObject, parent: string | undefined, structured?: unknown, meta: JsonObject = {}): AgentEvent[] {
    const callId = text(block["tool_use_id"]);
    const closed = callId === undefined ? undefined : this.close(callId);
    if (callId === undefined || closed === undefined) return [];
    const { open, stopped, restarted } = closed;
    const outcome = this.#words.outcome({ block, structured, meta, stopped });
    const events = [...restarted, endOf(callId, outcome, parent)];
    if (outcome.failed !== undefined || open === undefined) return events;
    const { nativeName, input } = open.call;
    const call: EndedCall = { callId, nativeName, input, parent: open.parent };
    const effects = this.#words.effects(call, outcome.output.text, structured);
    return [...events, ...effects.filter((event) => event !== undefined)];
  }

  override turnEnded(): void {
    super.turnEnded(({ parent }) => this.#words.outlives?.(parent) === true);
  }
}

/** The text of a result: a string, or blocks of which some are text. */
export function resultText(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = list(content).map((part) => (record(part)["type"] === "text" ? text(record(part)["text"]) : undefined));
  return parts.filter((part) => part !== undefined).join("\n");
}
