/** Where no hook fires, nobody is asked about anything: that is said, once a session. */
import type { AgentEvent } from "../../../events/types.ts";

export class Silence {
  readonly #fired: () => boolean;
  readonly #message: string;
  #isClear = false;

  /** `fired`: whether any hook ever has. */
  constructor(fired: () => boolean, message: string) {
    this.#fired = fired;
    this.#message = message;
  }

  /** Hooks come before a tool runs: where the first has run and none came, none will. */
  heard(events: readonly AgentEvent[]): readonly AgentEvent[] {
    const at = this.#isClear ? -1 : events.findIndex(({ type }) => type === "tool.completed");
    if (at < 0) return events;
    this.#isClear = true;
    if (this.#fired()) return events;
    return events.toSpliced(at + 1, 0, { type: "notice", level: "warning", code: "hooks", message: this.#message });
  }
}
