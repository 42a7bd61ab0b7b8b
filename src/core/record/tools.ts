import { toolKinds } from "../../events/tools.ts";
import type { AgentEventOf, EventOf, Outcome } from "../../events/types.ts";
import type { ToolOutputLimit } from "./limit-content.ts";
import { UniqueIds } from "./ids.ts";
import type { Envelope } from "./envelope.ts";

interface OpenTool {
  readonly startedAt: number;
  readonly parent: string | undefined;
  readonly output: ToolOutputLimit;
  denied: boolean;
}

export type WantedTool = Pick<
  AgentEventOf<"permission.requested">,
  "callId" | "tool" | "title" | "input" | "locations" | "parent"
>;

/** Law 2: every call starts once, ends once, and before its turn does. */
export class Tools {
  readonly #envelope: Envelope;
  readonly #names = new UniqueIds();
  readonly #open = new Map<string, OpenTool>();
  readonly #ended = new Set<string>();
  count = 0;

  constructor(envelope: Envelope) {
    this.#envelope = envelope;
  }

  startTurn(): void {
    this.#ended.clear();
    this.count = 0;
  }

  /** Of an earlier process: its names stay taken. */
  restore(event: EventOf<"tool.started" | "tool.completed" | "tool.failed">): void {
    const { callId, parent } = event;
    if (event.type !== "tool.started") return void this.#open.delete(callId);
    this.#names.begin(callId);
    this.count++;
    const output = this.#envelope.liveOutput();
    this.#open.set(callId, { startedAt: Date.parse(event.time), parent, output, denied: false });
  }

  started(event: AgentEventOf<"tool.started">): void {
    const known = this.#names.nameOf(event.callId);
    if (this.#open.has(known)) {
      // Started already, because its permission came first: the agent may know more of it now.
      const { input, title, locations, parent } = event;
      this.#envelope.emit({ type: "tool.progress", callId: known, input, title, locations, parent });
      return;
    }
    if (this.#ended.has(known) && this.#names.knows(event.callId)) return;
    const callId = this.#names.begin(event.callId);
    this.count++;
    const { parent } = event;
    const output = this.#envelope.liveOutput();
    this.#open.set(callId, { startedAt: this.#envelope.now(), parent, output, denied: false });
    this.#envelope.emit({ ...event, callId });
  }

  /** A permission or a hold may come before the agent reported its tool. */
  ensure(wanted: WantedTool, nativeName: string): void {
    if (this.#open.has(this.nameOf(wanted.callId))) return;
    const { callId, tool, title, input, locations, parent } = wanted;
    this.#names.forget(callId);
    const call = { callId, tool, nativeName, kind: toolKinds[tool], title, input, locations, parent };
    this.started({ type: "tool.started", ...call, synthetic: true });
  }

  /** The call a subagent belongs to; one that was never reported is started for it. */
  ensureParent(callId: string): void {
    if (!this.#names.knows(callId)) this.ensure({ callId, tool: "task", title: "Subagent", input: {} }, "task");
  }

  progress(event: AgentEventOf<"tool.progress">): void {
    const callId = this.nameOf(event.callId);
    const open = this.#open.get(callId);
    if (open === undefined) return;
    if (event.output === undefined) return this.#envelope.emit({ ...event, callId });
    const output = open.output.push(event.output);
    const { input, title, locations } = event;
    if (output === event.output) this.#envelope.emit({ ...event, callId });
    else if (output !== "" || input !== undefined || title !== undefined || locations !== undefined)
      // The native message would show what is held back.
      this.#envelope.emit({ ...event, callId, output, raw: undefined });
  }

  /** What was held back of its output is not held back any more. */
  #flush(callId: string, { output, parent }: OpenTool): void {
    const text = output.flush();
    if (text !== "") this.#envelope.emit({ type: "tool.progress", callId, output: text, parent, synthetic: true });
  }

  ended(event: AgentEventOf<"tool.completed" | "tool.failed">): void {
    const callId = this.nameOf(event.callId);
    const open = this.#open.get(callId);
    // The end of a call that is not open was told already, at the latest when its turn ended.
    if (open === undefined) return;
    this.#flush(callId, open);
    this.#open.delete(callId);
    this.#ended.add(callId);
    if (event.type === "tool.failed") {
      const { message, ...error } = event.error;
      const reason = open.denied ? "denied" : event.reason;
      this.#envelope.emit({
        ...event,
        callId,
        error: { ...error, message: this.#envelope.keep(message).text },
        reason,
      });
      return;
    }
    if (open.denied) {
      const message = "The agent says that it ran a tool which was denied.";
      this.#envelope.emit({ type: "notice", level: "error", code: "divergence", message });
    }
    const { text, bytes: said, content, ...rest } = event.output;
    const { whole, ...kept } = this.#envelope.keep(text);
    const given = Buffer.byteLength(text);
    // The agent itself may have kept some back.
    const bytes = whole && said <= given ? kept.kept : Math.max(said, given);
    const blocks = content === undefined ? {} : { content: this.#envelope.slim(content) };
    const durationMs = event.durationMs ?? this.#envelope.now() - open.startedAt;
    this.#envelope.emit({ ...event, callId, output: { ...rest, ...kept, bytes, ...blocks }, durationMs });
  }

  /** Somebody said no to this call: when it fails, that is why. */
  deny(callId: string): void {
    const open = this.#open.get(this.nameOf(callId));
    if (open !== undefined) open.denied = true;
  }

  close(outcome: Outcome): void {
    this.#close(outcome === "cancelled" ? "cancelled" : "unfinished", `The turn ended (${outcome}) before it did.`);
  }

  /** The agent is stopped and another goes on with the turn: an id of the one is no id of the other. */
  suspendTurn(): void {
    this.#close("unfinished", "The agent was stopped before it ended.");
    this.#names.renew();
  }

  #close(why: "cancelled" | "unfinished", words: string): void {
    for (const [callId, open] of this.#open) {
      const { denied, parent } = open;
      this.#flush(callId, open);
      const reason = denied ? "denied" : why;
      const message = denied ? "It was not allowed." : words;
      this.#envelope.emit({ type: "tool.failed", callId, error: { message }, reason, parent, synthetic: true });
    }
    this.#open.clear();
  }

  nameOf(callId: string): string {
    return this.#names.nameOf(callId);
  }

  /** The event with the call as readers know it; one they never heard of is not named. */
  named<Event extends { callId?: string | undefined }>(event: Event): Event {
    if (event.callId === undefined) return event;
    return { ...event, callId: this.#names.knows(event.callId) ? this.nameOf(event.callId) : undefined };
  }
}
