/** Requests of one session that wait for an answer, and the callbacks that answer them. */
import type { PermissionRequest, QuestionRequest, Session, SessionOptions } from "../core/api.ts";
import { ReinsError, toReinsError } from "../events/errors.ts";
import type { ReinsEvent } from "../events/types.ts";

type Reply = Parameters<Session["answer"]>[1];
type People = Pick<SessionOptions, "onPermission" | "onQuestion">;

export class PendingRequests {
  readonly #people: People;
  readonly #send: (requestId: string, reply: Reply) => Promise<void>;
  readonly #waiting = new Map<string, AbortController>();

  /** `waiting` are requests from before this client opened the session. They can be answered, but no callback is called for them. */
  constructor(people: People, waiting: readonly string[], send: (requestId: string, reply: Reply) => Promise<void>) {
    this.#people = people;
    this.#send = send;
    for (const requestId of waiting) this.#waiting.set(requestId, new AbortController());
  }

  learn(event: ReinsEvent): void {
    if (event.type === "permission.resolved" || event.type === "question.resolved") {
      this.#waiting.get(event.requestId)?.abort();
      this.#waiting.delete(event.requestId);
    }
    if (event.type !== "permission.requested" && event.type !== "question.requested") return;
    // Without a deadline or `waits`, the request was settled at once.
    if (event.deadline === undefined && event.waits !== true) return;
    const settled = new AbortController();
    this.#waiting.set(event.requestId, settled);
    void this.#ask(event, settled.signal);
  }

  answer(requestId: string, reply: Reply): void {
    if (!this.#waiting.has(requestId))
      throw new ReinsError(
        "invalid_input",
        `No request ${requestId} is waiting for an answer; it may be settled already.`,
      );
    // If somebody else answered first, the events report it.
    this.#send(requestId, reply).catch(() => undefined);
  }

  leave(): void {
    for (const settled of this.#waiting.values()) settled.abort();
    this.#waiting.clear();
  }

  async #ask(event: PermissionRequest | QuestionRequest, signal: AbortSignal): Promise<void> {
    const { onPermission, onQuestion } = this.#people;
    const isPermission = event.type === "permission.requested";
    if ((isPermission ? onPermission : onQuestion) === undefined) return;
    // Let readers of the events see the request first.
    await Promise.resolve();
    try {
      const reply = isPermission ? await onPermission!(event, signal) : await onQuestion!(event, signal);
      if (!signal.aborted) await this.#send(event.requestId, reply);
    } catch (thrown) {
      if (signal.aborted) return;
      const message = `The callback failed: ${toReinsError(thrown).message}`;
      const refusal: Reply = isPermission ? { decision: "deny", message } : { decision: "skip", message };
      await this.#send(event.requestId, refusal).catch(() => undefined);
    }
  }
}
