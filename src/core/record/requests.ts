import type { AgentEventOf, EventOf, Outcome } from "../../events/types.ts";
import type { Envelope } from "./envelope.ts";
import type { Tools } from "./tools.ts";

type Request = "permission.requested" | "question.requested";
type Resolution = "permission.resolved" | "question.resolved";

/** Enforces law 3: every request is resolved exactly once. */
export class Requests {
  readonly #envelope: Envelope;
  readonly #tools: Tools;
  /** All ids ever used: a repeated id is the same request. */
  readonly #known = new Set<string>();
  readonly #open = new Map<string, { readonly type: Resolution; readonly callId?: string }>();

  constructor(envelope: Envelope, tools: Tools) {
    this.#envelope = envelope;
    this.#tools = tools;
  }

  get known(): Iterable<string> {
    return this.#known;
  }

  restore(event: EventOf<Request | Resolution>): void {
    if (event.type === "permission.requested" || event.type === "question.requested") this.#add(event, event.callId);
    else this.#remove(event);
  }

  requested(event: AgentEventOf<Request>): void {
    if (this.#known.has(event.requestId)) return;
    if (event.type === "permission.requested") this.#tools.ensure(event, event.tool);
    const named = this.#tools.named(event);
    this.#add(event, named.callId);
    this.#envelope.emit(named);
  }

  resolved(event: AgentEventOf<Resolution>): void {
    if (this.#remove(event)) this.#envelope.emit(event);
  }

  /** Resolves everything that is open at the end of a turn. */
  close(outcome: Outcome): void {
    const by = outcome === "cancelled" ? "cancel" : outcome === "interrupted" ? "recovery" : "agent";
    for (const type of ["permission.resolved", "question.resolved"] as const)
      for (const [requestId, open] of this.#open)
        if (open.type === type) this.resolved({ type, requestId, outcome: "cancelled", by, synthetic: true });
  }

  #add({ type, requestId }: Pick<AgentEventOf<Request>, "type" | "requestId">, callId: string | undefined): void {
    this.#known.add(requestId);
    const resolution = type === "permission.requested" ? "permission.resolved" : "question.resolved";
    this.#open.set(requestId, { type: resolution, ...(callId !== undefined && { callId }) });
  }

  #remove({ type, requestId, outcome }: Pick<AgentEventOf<Resolution>, "type" | "requestId" | "outcome">): boolean {
    const open = this.#open.get(requestId);
    if (open?.type !== type) return false;
    this.#open.delete(requestId);
    if (outcome === "denied" && open.callId !== undefined) this.#tools.deny(open.callId);
    return true;
  }
}
