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

/** Enforces law 2: every call starts once and ends once, before its turn ends. */
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

  /** Restores events of an earlier process, whose names stay taken. */
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
      // The call already started, because its permission came first. The agent may know more about it now.
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

  /** Starts a call whose permission or hold came before the agent reported it. */
  ensure(wanted: WantedTool, nativeName: string): void {
    if (this.#open.has(this.nameOf(wanted.callId))) return;
    const { callId, tool, title, input, locations, parent } = wanted;
    this.#names.forget(callId);
    const call = { callId, tool, nativeName, kind: toolKinds[tool], title, input, locations, parent };
    this.started({ type: "tool.started", ...call, synthetic: true });
  }

  /** Starts the call of a subagent if the agent never reported it. */
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
      // Leave out the native message, because it would show text that is held back.
      this.#envelope.emit({ ...event, callId, output, raw: undefined });
  }

  /** Emits output that was held back. */
  #flush(callId: string, { output, parent }: OpenTool): void {
    const text = output.flush();
    if (text !== "") this.#envelope.emit({ type: "tool.progress", callId, output: text, parent, synthetic: true });
  }

  ended(event: AgentEventOf<"tool.completed" | "tool.failed">): void {
    const callId = this.nameOf(event.callId);
    const open = this.#open.get(callId);
    // The end of a call that is not open was already reported, at the latest when its turn ended.
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
      const message = "The agent reports that it ran a tool that was denied.";
      this.#envelope.emit({ type: "notice", level: "error", code: "divergence", message });
    }
    const { text, bytes: said, content, ...rest } = event.output;
    const { whole, ...kept } = this.#envelope.keep(text);
    const given = Buffer.byteLength(text);
    // The agent itself may have cut the output.
    const bytes = whole && said <= given ? kept.kept : Math.max(said, given);
    const blocks = content === undefined ? {} : { content: this.#envelope.slim(content) };
    const durationMs = event.durationMs ?? this.#envelope.now() - open.startedAt;
    this.#envelope.emit({ ...event, callId, output: { ...rest, ...kept, bytes, ...blocks }, durationMs });
  }

  /** Marks a denied call, so that its failure is reported as `denied`. */
  deny(callId: string): void {
    const open = this.#open.get(this.nameOf(callId));
    if (open !== undefined) open.denied = true;
  }

  close(outcome: Outcome): void {
    this.#close(
      outcome === "cancelled" ? "cancelled" : "unfinished",
      `The turn ended (${outcome}) before the tool did.`,
    );
  }

  /** The agent is stopped and another continues the turn; their call ids are unrelated. */
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

  /** Replaces the call id by the name that readers know, or removes it when the call is unknown. */
  named<Event extends { callId?: string | undefined }>(event: Event): Event {
    if (event.callId === undefined) return event;
    return { ...event, callId: this.#names.knows(event.callId) ? this.nameOf(event.callId) : undefined };
  }
}
