import type { PermissionReply, PermissionRequest, QuestionReply, QuestionRequest } from "../../core/api.ts";

interface Asked<Reply> {
  readonly signal: AbortSignal;
  readonly reply: (reply: Reply) => void;
}

/** Pending requests in event order: the user is asked one request at a time, after all earlier events are on the screen. */
export class PermissionPrompts {
  readonly #asked = new Map<string, PromiseWithResolvers<Asked<never>>>();

  readonly onPermission = (request: PermissionRequest, signal: AbortSignal): Promise<PermissionReply> =>
    this.#wait(request.requestId, signal);
  readonly onQuestion = (request: QuestionRequest, signal: AbortSignal): Promise<QuestionReply> =>
    this.#wait(request.requestId, signal);

  /** Asks, unless the request was settled in the meantime. */
  async serve<Reply>(requestId: string, ask: (signal: AbortSignal) => Promise<Reply>): Promise<void> {
    const { signal, reply } = (await this.#entry(requestId).promise) as Asked<Reply>;
    this.#asked.delete(requestId);
    if (!signal.aborted) reply(await ask(signal));
  }

  #wait<Reply>(requestId: string, signal: AbortSignal): Promise<Reply> {
    return new Promise((reply) => this.#entry(requestId).resolve({ signal, reply }));
  }

  #entry(requestId: string): PromiseWithResolvers<Asked<never>> {
    const entry = this.#asked.get(requestId) ?? Promise.withResolvers();
    this.#asked.set(requestId, entry);
    return entry;
  }
}
