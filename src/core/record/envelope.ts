import type { Limits } from "../../events/limits.ts";
import type { Redactor } from "../../events/redact.ts";
import type { Content, EventPayload, ReinsEvent } from "../../events/types.ts";
import { keep, ToolOutputLimit, slimmed, type SaveBlob } from "./limit-content.ts";
import { TurnPhases } from "./phases.ts";

export interface EnvelopeOptions {
  readonly sessionId: string;
  readonly redact: Redactor;
  readonly limits: Limits;
  readonly now?: () => number;
  /** Stores content that is too large for an event. Set when there is a store. */
  readonly put?: SaveBlob | undefined;
}

export class Envelope {
  /** The agent that currently holds the session. */
  agent = "";
  turnId: string | undefined;
  readonly now: () => number;
  readonly #options: EnvelopeOptions;
  readonly #phases = new TurnPhases();
  #out: ReinsEvent[] = [];
  #seq = 0;
  #time = "";
  #timeMs = Number.NaN;
  #second = "";
  #secondMs = Number.NaN;

  constructor(options: EnvelopeOptions) {
    this.#options = options;
    this.now = options.now ?? Date.now;
  }

  restore({ seq, agent, turnId }: ReinsEvent): void {
    this.#seq = seq;
    this.agent = agent;
    this.turnId = turnId;
  }

  get lastSeq(): number {
    return this.#seq;
  }

  get last(): ReinsEvent | undefined {
    return this.#out.at(-1);
  }

  take(): readonly ReinsEvent[] {
    this.#tellPhase();
    const out = this.#out;
    this.#out = [];
    return out;
  }

  emit(event: EventPayload): void {
    const isText = event.type.startsWith("message.") || event.type.startsWith("thought.");
    if (isText) this.#beforeText(event);
    // Phases are emitted later: `last` must stay the recorded event, and a request settled in the same step is no phase.
    else if (!this.#phases.isPassing(event)) this.#tellPhase();
    this.#push(this.#options.redact.deep(event));
    if (!isText) this.#phases.follow(event);
  }

  /** No phases are added from here to the end of the turn. */
  endPhases(): void {
    this.#tellPhase();
    this.#phases.end();
  }

  /** Emits a part of a message whose text was already redacted while streaming. */
  readonly part = (event: EventPayload): void => {
    if (event.type !== "message.delta" || event.raw !== undefined) return this.emit(event);
    this.#beforeText(event);
    // Hot path: deltas are nearly all of a long stream. Copying an unknown object costs several times as much as this literal.
    this.#out.push({
      v: 1,
      seq: ++this.#seq,
      time: this.#clock(),
      sessionId: this.#options.sessionId,
      turnId: this.turnId,
      agent: this.agent,
      type: "message.delta",
      messageId: event.messageId,
      text: event.text,
      parent: event.parent,
    });
  };

  /** Cuts a text to the limit and redacts it. The whole text goes to the store if there is one. */
  keep(text: string): { text: string; kept: number; whole: boolean; ref?: string } {
    const { limits, redact, put } = this.#options;
    const kept = keep(text, limits.inlineBytes, redact);
    const ref = kept.whole ? undefined : put?.(redact(text));
    return ref === undefined ? kept : { ...kept, ref };
  }

  slim(content: readonly Content[]): Content[] {
    return slimmed(content, this.#options.limits.inlineBytes, this.#options.put);
  }

  liveOutput(): ToolOutputLimit {
    return new ToolOutputLimit(this.#options.redact, this.#options.limits.inlineBytes);
  }

  /** A phase that text ends must end before the text, so that the pieces of a message stay together. */
  #beforeText(event: EventPayload): void {
    this.#tellPhase();
    if (!this.#phases.endsWithText) return;
    this.#phases.follow(event);
    this.#tellPhase();
  }

  #tellPhase(): void {
    const phase = this.#phases.next;
    if (phase === undefined) return;
    this.#phases.show(phase);
    this.#push({ type: "turn.phase", phase, synthetic: true });
  }

  #push(event: EventPayload): void {
    this.#out.push({
      v: 1,
      seq: ++this.#seq,
      time: this.#clock(),
      sessionId: this.#options.sessionId,
      turnId: this.turnId,
      agent: this.agent,
      ...event,
    });
  }

  #clock(): string {
    const ms = this.now();
    if (ms !== this.#timeMs) {
      this.#timeMs = ms;
      // Most events come within the same second, and formatting a date takes longer than the rest of an event.
      const within = Math.trunc(ms) - this.#secondMs;
      if (!(within >= 0 && within < 1000)) return (this.#time = this.#nextSecond(ms));
      this.#time = `${this.#second}${String(within).padStart(3, "0")}Z`;
    }
    return this.#time;
  }

  #nextSecond(ms: number): string {
    const time = new Date(ms).toISOString();
    this.#second = time.slice(0, -4);
    this.#secondMs = Math.floor(ms / 1000) * 1000;
    return time;
  }
}
