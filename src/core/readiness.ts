/**
 * Whether agents are ready, remembered: asking starts their programs. Only a yes is kept, and only until something happens that may
 * have changed it: a sign-in or sign-out, or a key that is refused.
 */
import type { Agent, Readiness } from "../agents/contract.ts";

export class Readinesses {
  readonly #known = new Map<string, Promise<Readiness>>();
  readonly #changing = new Set<string>();

  /** `fresh`: ask again. */
  of(agent: Agent, fresh = false): Promise<Readiness> {
    const known = fresh ? undefined : this.#known.get(agent.id);
    if (known !== undefined) return known;
    const asked = agent.probe();
    if (this.#changing.has(agent.id)) return asked;
    this.#known.set(agent.id, asked);
    const forget = () => {
      if (this.#known.get(agent.id) === asked) this.#known.delete(agent.id);
    };
    asked.then((found) => {
      if (!found.ready) forget();
    }, forget);
    return asked;
  }

  /** What was known of it counts no more. */
  drop(id: string): void {
    this.#known.delete(id);
  }

  /** Somebody is about to sign in or out, in a terminal that we do not see the end of: from now on it is asked every time. */
  changing(id: string): void {
    this.drop(id);
    this.#changing.add(id);
  }
}
