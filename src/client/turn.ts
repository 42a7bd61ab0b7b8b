/** A turn that runs on the server, as the caller sees it. It exists before the server knows about it. */
import type { Turn, TurnResult } from "../core/api.ts";
import { errorInfo, ReinsError, toReinsError } from "../events/errors.ts";
import type { ReinsEvent } from "../events/types.ts";
import type { TurnAnswer } from "../server/schemas/turns.ts";
import type { ClientSession } from "./session.ts";

export interface TurnEvents {
  readonly read: (after: number) => AsyncGenerator<ReinsEvent>;
  readonly stopped: () => boolean;
}

export class ClientTurn implements Turn {
  readonly id: string;
  readonly result: Promise<TurnResult>;
  readonly #events = Promise.withResolvers<() => AsyncGenerator<ReinsEvent>>();
  readonly #result = Promise.withResolvers<TurnResult>();
  /** Undefined until the session is open. */
  owner: ClientSession | undefined;
  /** True after the first event of the turn was read. */
  begun = false;
  #cancelled = false;

  constructor(id: string) {
    this.id = id;
    this.result = this.#result.promise;
    // A caller may ignore either promise; a rejection must not end its process.
    this.result.catch(() => undefined);
    this.#events.promise.catch(() => undefined);
  }

  get cancelledEarly(): boolean {
    return this.#cancelled && this.owner === undefined;
  }

  /** The server accepted the prompt. `known` is the last event that this client had when it sent the prompt. */
  take({ turn, after }: TurnAnswer, known: number, { read, stopped }: TurnEvents): void {
    const events = () => (after === undefined ? waiting(this.id, read(known)) : following(turn, read(after)));
    this.#events.resolve(events);
    void this.#finish(events(), stopped);
  }

  refuse(error: ReinsError): void {
    this.#events.reject(error);
    this.#result.reject(error);
  }

  cancelOn(signal: AbortSignal | undefined): void {
    if (signal === undefined) return;
    const cancel = (): void => void this.cancel().catch(() => undefined);
    if (signal.aborted) return cancel();
    signal.addEventListener("abort", cancel, { once: true });
    const forget = (): void => signal.removeEventListener("abort", cancel);
    this.result.then(forget, forget);
  }

  async cancel(): Promise<void> {
    this.#cancelled = true;
    if (this.owner === undefined) this.refuse(cancelledEarly());
    else await this.owner.cancelTurn(this);
  }

  answer(...[requestId, reply]: Parameters<Turn["answer"]>): void {
    if (this.owner === undefined)
      throw new ReinsError("invalid_input", "No request is waiting for an answer: the turn has not started.");
    this.owner.answer(requestId, reply);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ReinsEvent> {
    const events = await this.#events.promise;
    yield* events();
  }

  async #finish(events: AsyncGenerator<ReinsEvent>, stopped: () => boolean): Promise<void> {
    let last: ReinsEvent | undefined;
    try {
      for await (const event of events) {
        this.begun = true;
        last = event;
      }
      if (last?.type === "turn.completed") this.#result.resolve(stopped() ? endedWithServer(last) : last);
      else if (last === undefined) this.#result.reject(cancelledWaiting());
      else this.#result.reject(new ReinsError("network", "The session was closed before the turn ended."));
    } catch (thrown) {
      this.#result.reject(toReinsError(thrown));
    }
  }
}

/** Yields the events up to the end of the turn and of the turns that continue it automatically. */
async function* following(turn: string, events: AsyncGenerator<ReinsEvent>): AsyncGenerator<ReinsEvent> {
  let id = turn;
  for await (const event of events) {
    yield event;
    if (event.type !== "turn.completed" || event.turnId !== id) continue;
    if (event.next === undefined) return;
    id = event.next;
  }
}

async function* waiting(turn: string, events: AsyncGenerator<ReinsEvent>): AsyncGenerator<ReinsEvent> {
  for await (const event of events) {
    if (event.type !== "turn.started" || event.turnId !== turn) continue;
    yield event;
    yield* following(turn, events);
    return;
  }
}

export function cancelledEarly(): ReinsError {
  return new ReinsError("cancelled", "The prompt was cancelled before it was sent.");
}

export function cancelledWaiting(): ReinsError {
  return new ReinsError("cancelled", "The prompt was cancelled while it waited for its turn.");
}

function endedWithServer(last: TurnResult): TurnResult {
  if (last.outcome !== "cancelled" || last.error !== undefined) return last;
  const error = errorInfo(new ReinsError("network", "The server was stopped, which ended the turn."));
  return { ...last, outcome: "interrupted", error };
}
