/** Tool calls, from the model's wish to what came of it. */
import { isRecord, list, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { AgentEvent } from "../../events/types.ts";
import { fileChanged } from "./tools-files.ts";
import { planAfter } from "./tools-plan.ts";
import { outcomeOf } from "./tools-results.ts";
import { toolCall, unwrapped } from "./tools.ts";

/** A call that was started and has no end yet. */
export interface OpenCall {
  readonly callId: string;
  readonly nativeName: string;
  /** What it runs with; somebody may have changed it. */
  input: unknown;
  /** The task call of the subagent that makes it. */
  readonly parent: string | undefined;
}

export class Calls {
  readonly #cwd: string;
  readonly #open = new Map<string, OpenCall>();
  readonly #ended = new Set<string>();
  /** Calls that somebody kept from running, and why. */
  readonly #stopped = new Map<string, "denied" | "cancelled">();

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  find(callId: string): OpenCall | undefined {
    return this.#open.get(callId);
  }

  /** The call of a subagent, by the subagent's id, which ends with it. */
  taskOf(agentId: string): OpenCall | undefined {
    return [...this.#open.values()].find(({ callId }) => agentId.endsWith(callId));
  }

  /** A call of this tool with this input: a permission in a hook does not say which call it is about. */
  alike(
    name: string,
    input: unknown,
    parent: string | undefined,
    other: (callId: string) => boolean,
  ): OpenCall | undefined {
    const wanted = JSON.stringify(input);
    const calls = [...this.#open.values()].filter(
      (call) => call.parent === parent && call.nativeName === name && !other(call.callId),
    );
    return calls.find((call) => JSON.stringify(call.input) === wanted) ?? calls[0];
  }

  /** A subagent is at work. */
  get delegates(): boolean {
    return [...this.#open.values()].some(({ nativeName }) => nativeName === "agent");
  }

  started(block: Wire, parent: string | undefined): AgentEvent[] {
    const callId = text(block["id"]);
    if (callId === undefined || this.#open.has(callId) || this.#ended.has(callId)) return [];
    const { name, input } = unwrapped(text(block["name"]) ?? "unknown", block["input"] ?? {});
    this.#open.set(callId, { callId, nativeName: name, input, parent });
    const { tool, nativeName, kind, title, locations } = toolCall(name, input, this.#cwd);
    return [{ type: "tool.started", callId, tool, nativeName, kind, title, input, locations, parent }];
  }

  /** It runs with another input than the model wanted. */
  changed(callId: string, input: unknown): void {
    const call = this.#open.get(callId);
    if (call !== undefined) call.input = input;
  }

  /** It does not run: somebody said no to it, or nobody wants it any more. Its own failure follows, and does not tell. */
  stopped(callId: string, why: "denied" | "cancelled"): void {
    this.#stopped.set(callId, why);
  }

  /** The results in a `user` line. */
  results(message: Wire): AgentEvent[] {
    const blocks = list(record(message["message"])["content"]).filter(isRecord);
    const results = blocks.filter((block) => block["type"] === "tool_result");
    return results.flatMap((block) => this.#ends(block, text(message["parent_tool_use_id"])));
  }

  #ends(block: Wire, parent: string | undefined): AgentEvent[] {
    const callId = text(block["tool_use_id"]);
    if (callId === undefined || this.#ended.has(callId)) return [];
    const call = this.#open.get(callId);
    this.#open.delete(callId);
    this.#ended.add(callId);
    const { output, failed } = outcomeOf(block, this.#stopped.get(callId));
    this.#stopped.delete(callId);
    if (failed !== undefined) return [{ type: "tool.failed", callId, ...failed, parent }];
    const events: AgentEvent[] = [{ type: "tool.completed", callId, output, parent }];
    if (call === undefined) return events;
    const more = [fileChanged(call, output.text, this.#cwd), parent === undefined ? planAfter(call) : undefined];
    return [...events, ...more.filter((event) => event !== undefined)];
  }

  /** The core closes what the turn left open. */
  turnEnded(): void {
    this.#open.clear();
    this.#ended.clear();
    this.#stopped.clear();
  }
}
