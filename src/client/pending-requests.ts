/** The requests of one session that wait for an answer, and the callbacks that give it. */
import type { PermissionRequest, QuestionRequest, Session, SessionOptions } from "../core/api.ts";
import { ReinsError, toReinsError } from "../events/errors.ts";
import type { ReinsEvent } from "../events/types.ts";

type Reply = Parameters<Session["answer"]>[1];
type People = Pick<SessionOptions, "onPermission" | "onQuestion">;

export class PendingRequests {
  readonly #people: People;
  readonly #send: (requestId: string, reply: Reply) => Promise<void>;
  readonly #waiting = new Map<string, AbortController>();

  /** `waiting`: requests that were made before this client had the session. They can be answered; no callback is asked. */
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
    // Others are settled already.
    if (event.deadline === undefined && event.waits !== true) return;
    const settled = new AbortController();
    this.#waiting.set(event.requestId, settled);
    void this.#ask(event, settled.signal);
  }

  answer(requestId: string, reply: Reply): void {
    if (!this.#waiting.has(requestId))
      throw new ReinsError(
        "invalid_input",
        `Nothing waits for an answer under ${requestId}; it may be settled already.`,
      );
    // Where somebody else was faster, the events say so.
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
    // Readers of the events see the request first.
    await Promise.resolve();
    try {
      const reply = isPermission ? await onPermission!(event, signal) : await onQuestion!(event, signal);
      if (!signal.aborted) await this.#send(event.requestId, reply);
    } catch (thrown) {
      if (signal.aborted) return;
      const message = `The one who was asked failed: ${toReinsError(thrown).message}`;
      const refusal: Reply = isPermission ? { decision: "deny", message } : { decision: "skip", message };
      await this.#send(event.requestId, refusal).catch(() => undefined);
    }
  }
}
