/** What is known of a past conversation while its lines are looked at. */
import type { PastSession } from "../contract.ts";

export class PastFacts {
  cwd: string | undefined;
  title: string | undefined;
  model: string | undefined;
  agentVersion: string | undefined;
  messages = 0;
  #createdAt: string | undefined;
  #updatedAt: string | undefined;

  at(time: string | undefined): void {
    if (time === undefined || Number.isNaN(Date.parse(time))) return;
    this.#createdAt ??= time;
    this.#updatedAt = time;
  }

  /** Undefined where it is not known where or when it was. */
  of(id: string, state: string): Omit<PastSession, "place"> | undefined {
    const { cwd, title, model, agentVersion, messages } = this;
    const [createdAt, updatedAt] = [this.#createdAt, this.#updatedAt];
    if (cwd === undefined || createdAt === undefined || updatedAt === undefined) return undefined;
    return { id, state, cwd, title, createdAt, updatedAt, messages, model, agentVersion };
  }
}
