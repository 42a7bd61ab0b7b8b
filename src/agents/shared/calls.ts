/**
 * Tracks the tool calls of a conversation: each starts once and ends once, even when the wire repeats messages. An
 * agent maps its messages to descriptions and outcomes.
 */
import type { AgentEvent, AgentEventOf, ToolOutput } from "../../events/types.ts";
import type { FileBefore } from "./file-before.ts";
import type { ToolCall } from "./tool-call.ts";

/** A call in the terms of `tool.started`. An agent may add fields of its own. */
export interface DescribedCall extends Omit<ToolCall, "mcp"> {
  readonly input: unknown;
}

export interface OpenCall<Call extends DescribedCall = DescribedCall> {
  readonly callId: string;
  /** The task call of the subagent that makes this call. */
  readonly parent: string | undefined;
  readonly call: Call;
}

/** Why a call did not run. The agent reports the failure later without this reason. */
export type StoppedBy = "denied" | "cancelled";

export interface ClosedCall<Call extends DescribedCall> {
  readonly open: OpenCall<Call> | undefined;
  readonly stopped: StoppedBy | undefined;
  /** The file that the call was about to change, as it was before. */
  readonly before: FileBefore | undefined;
  /** Start events to emit before the end: a call that outlived its turn starts again in the turn in which it ends. */
  readonly restarted: AgentEvent[];
}

export interface Outcome {
  readonly output: ToolOutput;
  readonly exitCode?: number | undefined;
  readonly durationMs?: number | undefined;
  readonly failed?: Pick<AgentEventOf<"tool.failed">, "error" | "reason"> | undefined;
}

interface Facts {
  stopped?: StoppedBy;
  before?: FileBefore | undefined;
}

interface Entry<Call extends DescribedCall> extends OpenCall<Call> {
  call: Call;
  shown: string;
  /** Later output that does not continue `said`. */
  unplaced?: string;
  outlived: boolean;
}

export class CallTracker<Call extends DescribedCall = DescribedCall> {
  readonly #reusesIds: boolean;
  readonly #open = new Map<string, Entry<Call>>();
  readonly #ended = new Set<string>();
  /** By call id. Facts may be known before the wire reports the call. */
  readonly #facts = new Map<string, Facts>();

  /** `reusesIds`: after a call ends, its id may name another call in the same turn. */
  constructor({ reusesIds = false }: { reusesIds?: boolean } = {}) {
    this.#reusesIds = reusesIds;
  }

  get open(): readonly OpenCall<Call>[] {
    return [...this.#open.values()];
  }

  find(callId: string): OpenCall<Call> | undefined {
    return this.#open.get(callId);
  }

  /** True when a start of this call would be a repetition. */
  isKnown(callId: string): boolean {
    return this.#open.has(callId) || this.#ended.has(callId);
  }

  start(callId: string, call: Call, parent?: string): AgentEvent[] {
    if (this.isKnown(callId)) return [];
    const open: Entry<Call> = { callId, call, parent, shown: "", outlived: false };
    this.#open.set(callId, open);
    return [startOf(open)];
  }

  /** The call waits for a decision of Reins. `before` is the file that it may change. */
  held(callId: string, before: FileBefore | undefined): void {
    this.#factsOf(callId).before = before;
  }

  /** The call runs with another input than the model gave. */
  changed(callId: string, call: Call, before?: FileBefore): AgentEvent[] {
    const open = this.#open.get(callId);
    if (open === undefined) return [];
    open.call = call;
    this.held(callId, before);
    const { input, title, locations } = call;
    return [{ type: "tool.progress", callId, input, title, locations, parent: open.parent }];
  }

  /** Keeps the first reason: an agent may report a cancelled call as denied. */
  stopped(callId: string, why: StoppedBy = "denied"): void {
    this.#factsOf(callId).stopped ??= why;
  }

  progressed(callId: string, output: string): AgentEvent[] {
    const open = this.#open.get(callId);
    return open === undefined || output === "" ? [] : [{ type: "tool.progress", callId, output, parent: open.parent }];
  }

  /** `whole` is all output so far, or its last part once it is long. Reports only what is new. */
  grew(callId: string, whole: string): AgentEvent[] {
    const open = this.#open.get(callId);
    if (open === undefined || whole === "" || whole === open.shown) return [];
    const output = newPart(open.shown, whole) ?? (open.unplaced && newPart(open.unplaced, whole));
    if (output === undefined) {
      open.unplaced = whole;
      return [];
    }
    open.shown = whole;
    delete open.unplaced;
    return this.progressed(callId, output);
  }

  /** Closes a call; undefined when it has ended before. */
  close(callId: string): ClosedCall<Call> | undefined {
    if (this.#ended.has(callId)) return undefined;
    const open = this.#open.get(callId);
    const { stopped, before } = this.#facts.get(callId) ?? {};
    this.#open.delete(callId);
    this.#facts.delete(callId);
    if (!this.#reusesIds) this.#ended.add(callId);
    return { open, stopped, before, restarted: open?.outlived === true ? [startOf(open)] : [] };
  }

  /** Forgets the open calls: the core ends them. A call that outlives the turn, such as one of a background subagent, stays known. */
  turnEnded(outlives: (call: OpenCall<Call>) => boolean = () => false): void {
    this.#ended.clear();
    this.#facts.clear();
    for (const open of this.#open.values()) {
      open.outlived = outlives(open);
      if (!open.outlived) this.#open.delete(open.callId);
    }
  }

  #factsOf(callId: string): Facts {
    const facts = this.#facts.get(callId) ?? {};
    this.#facts.set(callId, facts);
    return facts;
  }
}

export function endOf(callId: string, { output, exitCode, durationMs, failed }: Outcome, parent?: string): AgentEvent {
  return failed === undefined
    ? { type: "tool.completed", callId, output, exitCode, durationMs, parent }
    : { type: "tool.failed", callId, ...failed, parent };
}

function startOf({ callId, call, parent }: OpenCall): AgentEvent {
  const { tool, nativeName, kind, title, input, locations } = call;
  return { type: "tool.started", callId, tool, nativeName, kind, title, input, locations, parent };
}

/** Characters to compare: long enough to find where one part ends in the next. */
const overlap = 200;

function newPart(before: string, now: string): string | undefined {
  if (now.startsWith(before)) return now.slice(before.length);
  const end = before.slice(-overlap);
  const at = now.lastIndexOf(end);
  return at < 0 ? undefined : now.slice(at + end.length);
}
