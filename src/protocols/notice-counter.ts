import type { AgentEvent } from "../events/types.ts";

/** Reports the first problem of a code at once, then each time the count has doubled, so that garbage causes few notices. */
export class Notices {
  readonly #counts = new Map<string, { told: number; untold: number; message: string }>();

  add(code: string, message: string, count: number, out: AgentEvent[]): void {
    const entry = this.#counts.get(code) ?? { told: 0, untold: 0, message };
    this.#counts.set(code, entry);
    entry.untold += count;
    if (entry.untold > entry.told) this.#tell(code, entry, out);
  }

  /** Reports the remaining count. */
  flush(out: AgentEvent[]): void {
    for (const [code, entry] of this.#counts) if (entry.untold > 0) this.#tell(code, entry, out);
  }

  #tell(code: string, entry: { told: number; untold: number; message: string }, out: AgentEvent[]): void {
    out.push({ type: "notice", level: "warning", code, message: entry.message, count: entry.untold });
    entry.told += entry.untold;
    entry.untold = 0;
  }
}
