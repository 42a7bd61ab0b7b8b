/** Counts messages that were not understood. Reports one notice per kind and turn, and one with the count at the end of the turn. */
import type { AgentEvent } from "../../events/types.ts";

/** Limits memory when an agent sends ever new kinds of messages. */
const maxKinds = 100;

export class Unparsed {
  readonly #name: string;
  readonly #counts = new Map<string, number>();
  /** Number of lines that were not a JSON object. */
  garbage = 0;

  /** `name`: the agent's display name. */
  constructor(name: string) {
    this.#name = name;
  }

  saw(what: string): AgentEvent[] {
    const kind = this.#counts.has(what) || this.#counts.size < maxKinds ? what : "more messages of unknown kinds";
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    return count === 1 ? [this.#notice(kind)] : [];
  }

  /** Reports a line that is not a message. */
  line(line: unknown): AgentEvent[] {
    this.garbage++;
    return this.saw(typeof line === "string" ? "a line that is not JSON" : "a line that is not a message");
  }

  turnEnded(): AgentEvent[] {
    const events = [...this.#counts].filter(([, count]) => count > 1).map(([kind, count]) => this.#notice(kind, count));
    this.#counts.clear();
    return events;
  }

  #notice(kind: string, count?: number): AgentEvent {
    const message = `${this.#name} sent ${kind}, which Reins does not know; it was ignored.`;
    return { type: "notice", level: "warning", code: "unparsed", message, count };
  }
}
