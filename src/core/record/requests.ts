import type { AgentEventOf, EventOf, Outcome } from "../../events/types.ts";
import type { Stamper } from "./stamper.ts";
import type { Tools } from "./tools.ts";

/** Law 3: whatever is asked is resolved exactly once. */
export class Requests {
  readonly #stamper: Stamper;
  readonly #tools: Tools;
  /** Every id that was ever asked under. */
  readonly #known = new Set<string>();
  /** The call of each permission that waits. */
  readonly #permissions = new Map<string, string>();
  readonly #questions = new Set<string>();

  constructor(stamper: Stamper, tools: Tools) {
    this.#stamper = stamper;
    this.#tools = tools;
  }

  /** Asked before, answered or not: an agent that asks twice under one id is asking once. */
  knows(requestId: string): boolean {
    return this.#known.has(requestId);
  }

  waits(requestId: string): boolean {
    return this.#permissions.has(requestId) || this.#questions.has(requestId);
  }

  /** Every id that was ever asked under. */
  get known(): Iterable<string> {
    return this.#known;
  }

  restore(
    event: EventOf<"permission.requested" | "permission.resolved" | "question.requested" | "question.resolved">,
  ): void {
    const { requestId } = event;
    this.#known.add(requestId);
    if (event.type === "permission.requested") this.#permissions.set(requestId, event.callId);
    else if (event.type === "question.requested") this.#questions.add(requestId);
    else if (event.type === "question.resolved") this.#questions.delete(requestId);
    else {
      if (event.outcome === "denied") this.#tools.deny(this.#permissions.get(requestId) ?? "");
      this.#permissions.delete(requestId);
    }
  }

  permission(event: AgentEventOf<"permission.requested">): void {
    if (this.knows(event.requestId)) return;
    this.#known.add(event.requestId);
    this.#tools.ensure(event, event.tool);
    const callId = this.#tools.nameOf(event.callId);
    this.#permissions.set(event.requestId, callId);
    this.#stamper.say({ ...event, callId });
  }

  resolvePermission(event: AgentEventOf<"permission.resolved">): void {
    const callId = this.#permissions.get(event.requestId);
    if (callId === undefined) return;
    this.#permissions.delete(event.requestId);
    if (event.outcome === "denied") this.#tools.deny(callId);
    this.#stamper.say(event);
  }

  question(event: AgentEventOf<"question.requested">): void {
    if (this.knows(event.requestId)) return;
    this.#known.add(event.requestId);
    this.#questions.add(event.requestId);
    this.#stamper.say(this.#tools.named(event));
  }

  resolveQuestion(event: AgentEventOf<"question.resolved">): void {
    if (this.#questions.delete(event.requestId)) this.#stamper.say(event);
  }

  /** The turn ends: nothing waits any more. */
  close(outcome: Outcome): void {
    const by = outcome === "cancelled" ? "cancel" : outcome === "interrupted" ? "recovery" : "agent";
    for (const requestId of this.#permissions.keys()) {
      this.resolvePermission({ type: "permission.resolved", requestId, outcome: "cancelled", by, synthetic: true });
    }
    for (const requestId of this.#questions) {
      this.resolveQuestion({ type: "question.resolved", requestId, outcome: "cancelled", by, synthetic: true });
    }
  }
}
