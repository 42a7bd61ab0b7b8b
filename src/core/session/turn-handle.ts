import { ReinsError } from "../../events/errors.ts";
import type { ReinsEvent } from "../../events/types.ts";
import type { PermissionReply, QuestionReply, Turn, TurnResult } from "../api.ts";
import type { EventBatch } from "../log/event-batch.ts";
import type { SessionLog } from "../log/types.ts";
import { newTurnId } from "../record/recorder.ts";

interface Running {
  readonly log: SessionLog;
  readonly after: number;
  /** The turn whose events are read: the handle's own, or the one that it was steered into. */
  readonly turnId: string;
}

export interface TurnOwner {
  cancelTurn(turn: TurnHandle): Promise<void>;
  answer(requestId: string, reply: PermissionReply | QuestionReply): void;
}

/** A turn as the caller sees it. It exists before the turn runs: a prompt may wait in the queue or for its session. */
export class TurnHandle implements Turn {
  readonly id: string;
  readonly result: Promise<TurnResult>;
  readonly #started = Promise.withResolvers<Running>();
  readonly #result = Promise.withResolvers<TurnResult>();
  #owner: TurnOwner | undefined;
  #cancelled = false;
  #signal: AbortSignal | undefined;

  constructor(id: string = newTurnId()) {
    this.id = id;
    this.result = this.#result.promise;
    // A caller may ignore either promise; a rejection must not end its process.
    this.result.catch(() => {});
    this.#started.promise.catch(() => {});
  }

  get cancelledEarly(): boolean {
    return this.#cancelled && this.#owner === undefined;
  }

  own(owner: TurnOwner): void {
    this.#owner = owner;
  }

  start(running: Running): void {
    this.#started.resolve(running);
  }

  complete(result: TurnResult): void {
    this.#result.resolve(result);
  }

  refuse(error: ReinsError): void {
    this.#started.reject(error);
    this.#result.reject(error);
  }

  cancelOn(signal: AbortSignal | undefined): void {
    if (signal === undefined || signal === this.#signal) return;
    this.#signal = signal;
    const cancel = (): void => void this.cancel();
    const forget = (): void => signal.removeEventListener("abort", cancel);
    if (signal.aborted) return cancel();
    signal.addEventListener("abort", cancel, { once: true });
    this.result.then(forget, forget);
  }

  async cancel(): Promise<void> {
    this.#cancelled = true;
    if (this.#owner === undefined)
      this.refuse(new ReinsError("cancelled", "The prompt was cancelled before it was sent."));
    else await this.#owner.cancelTurn(this);
  }

  answer(requestId: string, reply: PermissionReply | QuestionReply): void {
    if (this.#owner === undefined)
      throw new ReinsError("invalid_input", "No request is waiting for an answer: the turn has not started.");
    this.#owner.answer(requestId, reply);
  }

  [Symbol.asyncIterator](): AsyncIterator<ReinsEvent> {
    return new TurnEvents(this.#started.promise);
  }
}

/**
 * Iterates the events of a turn from the batches of the log. A plain object, because a generator costs three times as
 * much per event (0.4 against 1.1 µs).
 */
class TurnEvents implements AsyncIterator<ReinsEvent> {
  readonly #started: Promise<Running>;
  #batches: AsyncIterator<EventBatch> | undefined;
  #batch: readonly ReinsEvent[] = [];
  #index = 0;
  #turnId = "";
  #done = false;
  #asking = 0;
  #lastAsked: Promise<unknown> = Promise.resolve();

  constructor(started: Promise<Running>) {
    this.#started = started;
  }

  next(): Promise<IteratorResult<ReinsEvent>> {
    if (this.#asking === 0 && this.#has) return Promise.resolve(this.#step());
    const own = this.#inTurn(this.#lastAsked);
    this.#lastAsked = own.catch(() => {});
    return own;
  }

  get #has(): boolean {
    return !this.#done && this.#index < this.#batch.length;
  }

  /** Concurrent calls of `next` are answered in order, as with a generator. */
  async #inTurn(earlier: Promise<unknown>): Promise<IteratorResult<ReinsEvent>> {
    this.#asking++;
    try {
      await earlier;
      return this.#has ? this.#step() : await this.#refill();
    } finally {
      this.#asking--;
    }
  }

  async return(): Promise<IteratorResult<ReinsEvent>> {
    this.#done = true;
    await this.#batches?.return?.();
    return { value: undefined, done: true };
  }

  #step(): IteratorResult<ReinsEvent> {
    const event = this.#batch[this.#index++]!;
    if (event.type === "turn.completed" && event.turnId === this.#turnId) {
      this.#turnId = event.next ?? this.#turnId;
      this.#done = event.next === undefined;
    }
    if (this.#done) void this.#batches?.return?.();
    return { value: event, done: false };
  }

  async #refill(): Promise<IteratorResult<ReinsEvent>> {
    if (this.#done) return { value: undefined, done: true };
    if (this.#batches === undefined) {
      const running = await this.#started;
      // The reader left meanwhile: an unread reader in the log would block the agent.
      if (this.#done) return { value: undefined, done: true };
      this.#turnId = running.turnId;
      this.#batches = running.log.read(running.after);
    }
    const { value, done } = await this.#batches.next();
    if (done === true) return { value: undefined, done: true };
    this.#batch = value.events;
    this.#index = 0;
    return this.#step();
  }
}
