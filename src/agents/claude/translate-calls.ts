/** Tool calls, from the model's wish to what came of it. */
import type { AgentEvent } from "../../events/types.ts";
import type { Tasks } from "./tasks.ts";
import { fileChanged } from "./tools-files.ts";
import { Plan } from "./tools-plan.ts";
import { outcomeOf } from "./tools-results.ts";
import { toolCall } from "./tools.ts";
import { isRecord, list, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";

/** A call that was started and has no end yet. */
export interface OpenCall {
  readonly callId: string;
  readonly nativeName: string;
  readonly input: unknown;
  /** The task call of the subagent that makes it. */
  readonly parent: string | undefined;
  /** Its turn ended before it did. */
  outlived: boolean;
}

export class Calls {
  readonly #cwd: string;
  readonly #tasks: Tasks;
  readonly #plan = new Plan();
  readonly #open = new Map<string, OpenCall>();
  readonly #ended = new Set<string>();
  readonly #denied = new Set<string>();

  constructor(cwd: string, tasks: Tasks) {
    this.#cwd = cwd;
    this.#tasks = tasks;
  }

  find(callId: string): OpenCall | undefined {
    return this.#open.get(callId);
  }

  started(block: Wire, parent: string | undefined): AgentEvent[] {
    const callId = text(block["id"]);
    if (callId === undefined || this.#open.has(callId) || this.#ended.has(callId)) return [];
    const call: OpenCall = {
      callId,
      nativeName: text(block["name"]) ?? "unknown",
      input: block["input"] ?? {},
      parent,
      outlived: false,
    };
    this.#open.set(callId, call);
    return [this.#startOf(call)];
  }

  /** The agent decided by itself not to run it; the call's own failure follows. */
  denied(callId: string | undefined): void {
    if (callId !== undefined) this.#denied.add(callId);
  }

  /** The results in a `user` line. */
  results(message: Wire): AgentEvent[] {
    const blocks = list(record(message["message"])["content"]).filter(isRecord);
    const results = blocks.filter((block) => block["type"] === "tool_result");
    // The structured result stands beside the line and does not say whose it is.
    const structured = results.length === 1 ? message["tool_use_result"] : undefined;
    const metas = list(message["tool_result_meta"]).filter(isRecord);
    return results.flatMap((block) => {
      const meta = metas.find((candidate) => candidate["id"] === block["tool_use_id"]);
      return this.ended(block, text(message["parent_tool_use_id"]), structured, meta);
    });
  }

  ended(block: Wire, parent: string | undefined, structured?: unknown, meta: Wire = {}): AgentEvent[] {
    const callId = text(block["tool_use_id"]);
    if (callId === undefined || this.#ended.has(callId)) return [];
    const call = this.#open.get(callId);
    this.#open.delete(callId);
    this.#ended.add(callId);
    const events: AgentEvent[] = call?.outlived === true ? [this.#startOf(call)] : [];
    const { output, failed } = outcomeOf({ block, structured, meta, denied: this.#denied.delete(callId) });
    if (failed !== undefined) return [...events, { type: "tool.failed", callId, ...failed, parent }];
    events.push({ type: "tool.completed", callId, output, parent });
    if (call === undefined) return events;
    const changed = fileChanged(call, structured, output.text, this.#cwd);
    if (changed !== undefined) events.push(changed);
    const plan = parent === undefined ? this.#plan.after(call.nativeName, call.input, structured) : undefined;
    if (plan !== undefined) events.push(plan);
    return events;
  }

  /**
   * The core closes what the turn left open. A call of a subagent in the background goes on all the same: when its result
   * comes, in a turn of its own, it is started once more there.
   */
  turnEnded(): void {
    this.#ended.clear();
    this.#denied.clear();
    for (const [callId, call] of this.#open) {
      if (this.#tasks.runs(call.parent)) call.outlived = true;
      else this.#open.delete(callId);
    }
  }

  #startOf(call: OpenCall): AgentEvent {
    const { callId, input, parent } = call;
    const { tool, nativeName, kind, title, locations } = toolCall(call.nativeName, input, this.#cwd);
    return { type: "tool.started", callId, tool, nativeName, kind, title, input, locations, parent };
  }
}
