/** What was not understood: one notice a kind and turn, and how many there were once the turn is over. */
import type { AgentEvent } from "../../events/types.ts";

/** A wire that makes up a new kind each time must not fill the memory. */
const maxKinds = 100;

export class Unparsed {
  readonly #name: string;
  readonly #counts = new Map<string, number>();
  /** Lines that were no JSON object at all. */
  garbage = 0;

  /** The agent's name for people. */
  constructor(name: string) {
    this.#name = name;
  }

  saw(what: string): AgentEvent[] {
    const kind = this.#counts.has(what) || this.#counts.size < maxKinds ? what : "more messages of unknown kinds";
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    return count === 1 ? [this.#notice(kind)] : [];
  }

  /** A line that is no message. */
  line(line: unknown): AgentEvent[] {
    this.garbage++;
    return this.saw(typeof line === "string" ? "a line that is no JSON" : "a line that is no message");
  }

  turnEnded(): AgentEvent[] {
    const events = [...this.#counts].filter(([, count]) => count > 1).map(([kind, count]) => this.#notice(kind, count));
    this.#counts.clear();
    return events;
  }

  #notice(kind: string, count?: number): AgentEvent {
    const message = `${this.#name} sent ${kind}, which Reins does not know; it was left out.`;
    return { type: "notice", level: "warning", code: "unparsed", message, count };
  }
}
