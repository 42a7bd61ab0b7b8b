import type { EventOf, EventPayload } from "../../events/types.ts";

export type Phase = EventOf<"turn.phase">["phase"];

/**
 * Derives what a turn is waiting for from the events that readers see, because most agents report no phases. A phase
 * that the agent reports itself applies until the agent continues. Phases of subagents are not followed: the turn
 * waits for their call.
 */
export class TurnPhases {
  readonly #calls = new Set<string>();
  readonly #requests = new Set<string>();
  #running = false;
  /** Phase that the agent reported and has not left yet. */
  #reported: Phase | undefined;
  #shown: Phase | undefined;

  /** The phase that readers do not know yet. */
  next: Phase | undefined;

  /** True when the next text may end a phase. Read for every delta, so it does not look at the sets. */
  get endsWithText(): boolean {
    return this.#reported !== undefined && this.#reported !== "model";
  }

  follow(event: EventPayload): void {
    if (event.type === "turn.started") this.#start();
    if (!this.#running) return;
    this.#learn(event);
    const phase = this.#phase();
    this.next = phase === this.#shown ? undefined : phase;
  }

  show(phase: Phase): void {
    this.#shown = phase;
    this.next = undefined;
  }

  /** True for a request that was resolved in the same step without asking anybody, so nothing waited. */
  isPassing(event: EventPayload): boolean {
    if (event.type !== "permission.resolved" && event.type !== "question.resolved") return false;
    return this.next === "person" && (event.by === "policy" || event.by === "deadline" || event.by === "cancel");
  }

  /** The turn ends: events that close it are not a phase. */
  end(): void {
    this.#running = false;
    this.next = undefined;
  }

  #start(): void {
    this.#running = true;
    this.#calls.clear();
    this.#requests.clear();
    this.#reported = undefined;
    this.#shown = undefined;
  }

  #phase(): Phase {
    if (this.#requests.size > 0) return "person";
    return this.#reported ?? (this.#calls.size > 0 ? "tool" : "model");
  }

  #learn(event: EventPayload): void {
    switch (event.type) {
      case "turn.phase":
        if (event.parent !== undefined) return;
        this.#reported = event.phase;
        return this.show(event.phase);
      case "agent.retrying":
        if (event.parent === undefined) this.#reported = "retry";
        return;
      case "tool.started":
        this.#calls.add(event.callId);
        if (event.parent === undefined) this.#reported = undefined;
        return;
      case "tool.completed":
      case "tool.failed":
        this.#calls.delete(event.callId);
        // The model may answer while another call still runs.
        if (this.#reported === "tool") this.#reported = undefined;
        return;
      case "permission.requested":
      case "question.requested":
        this.#requests.add(event.requestId);
        return;
      case "permission.resolved":
      case "question.resolved":
        this.#requests.delete(event.requestId);
        return;
      case "context.compacted":
        if (this.#reported === "compact") this.#reported = undefined;
        return;
      case "agent.switched":
        this.#reported = undefined;
        return;
      case "message.delta":
      case "message.completed":
      case "thought.delta":
      case "thought.completed":
        if (event.parent === undefined && this.endsWithText) this.#reported = undefined;
        return;
      default:
    }
  }
}
