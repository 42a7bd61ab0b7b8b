/** Pending requests, in both directions. Answers may come in any order, late, twice or never. */
import { ReinsError } from "../events/errors.ts";
import type { AgentEvent } from "../events/types.ts";
import { randomId } from "../process/crypto.ts";
import type { JsonObject } from "./json.ts";

export interface RequestError {
  /** 0 when the wire has no code. */
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export type RequestAnswer = { readonly result: unknown } | { readonly error: RequestError };

/** Called when the answer is read, before any later message; not called when the process ends first. Must not throw. */
export type OnAnswer = (answer: RequestAnswer, out: AgentEvent[]) => void;

interface Waiting {
  readonly method: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: ReinsError) => void;
  readonly timer: NodeJS.Timeout | undefined;
  readonly onAnswer: OnAnswer | undefined;
}

export interface SentRequestsOptions<Id> {
  readonly name: string;
  readonly agent: string;
  readonly idOf: (count: number) => Id;
  /** Called when the deadline of a request passes. */
  readonly onLate?: (id: Id) => void;
}

/** Requests of Reins that the agent has not answered yet. */
export class SentRequests<Id> {
  readonly #waiting = new Map<unknown, Waiting>();
  readonly #options: SentRequestsOptions<Id>;
  #ended: ReinsError | undefined;
  #count = 0;

  constructor(options: SentRequestsOptions<Id>) {
    this.#options = options;
  }

  add(method: string, deadlineMs: number, onAnswer?: OnAnswer): { id: Id; answer: Promise<unknown> } {
    const id = this.#options.idOf(++this.#count);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    // Some callers do not await the answer; avoid an unhandled rejection.
    promise.catch(() => {});
    if (this.#ended !== undefined) {
      reject(this.#ended);
      return { id, answer: promise };
    }
    const timer = deadlineMs < Infinity ? setTimeout(() => this.#late(id, deadlineMs), deadlineMs) : undefined;
    this.#waiting.set(id, { method, resolve, reject, timer, onAnswer });
    return { id, answer: promise };
  }

  /** Returns false when no request waits for the answer: it is late, repeated or unknown. */
  settle(id: unknown, answer: RequestAnswer, out: AgentEvent[]): boolean {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return false;
    this.#waiting.delete(id);
    clearTimeout(waiting.timer);
    waiting.onAnswer?.(answer, out);
    if ("result" in answer) waiting.resolve(answer.result);
    else {
      const { name, agent } = this.#options;
      const message = `${name} refused ${waiting.method}: ${answer.error.message}`;
      const cause: Refusal = { method: waiting.method, ...answer.error };
      waiting.reject(new ReinsError("protocol_error", message, { agent, cause }));
    }
    return true;
  }

  /** Rejects all pending requests, because the process has ended. */
  end(error: ReinsError): void {
    if (this.#ended !== undefined) return;
    this.#ended = error;
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(error);
    }
    this.#waiting.clear();
  }

  #late(id: Id, deadlineMs: number): void {
    const { name, agent, onLate } = this.#options;
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.reject(
      new ReinsError("agent_hung", `${name} did not answer ${waiting.method} within ${deadlineMs} ms.`, { agent }),
    );
    onLate?.(id);
  }
}

/** The `cause` of the error when the agent answered a request with an error. */
export interface Refusal extends RequestError {
  readonly method: string;
}

export function refusalOf(error: unknown): Refusal | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  return typeof cause === "object" && cause !== null && "method" in cause ? (cause as Refusal) : undefined;
}

type WireId = string | number;

/** The request is new (with Reins' id for it), repeats a pending one, or differs from a pending one with the same id. */
export type Received = { readonly id: string } | { readonly repeated: true } | { readonly contradicts: string };

/** Requests of the agent that have no answer yet. */
export class ReceivedRequests {
  readonly #prefix = `${randomId().slice(0, 8)}-`;
  readonly #waiting = new Map<string, { readonly wireId: WireId; readonly message: JsonObject }>();
  readonly #byWireId = new Map<unknown, string>();
  #count = 0;

  add(wireId: WireId, message: JsonObject): Received {
    const earlier = this.#byWireId.get(wireId);
    if (earlier !== undefined) {
      const before = this.#waiting.get(earlier)!.message;
      const isSame = JSON.stringify(before["params"]) === JSON.stringify(message["params"]);
      if (isSame && before["method"] === message["method"]) return { repeated: true };
      // The agent would take one answer for both, and so an approval of one for an approval of the other.
      this.take(earlier);
      return { contradicts: earlier };
    }
    const id = this.#prefix + ++this.#count;
    this.#waiting.set(id, { wireId, message });
    this.#byWireId.set(wireId, id);
    return { id };
  }

  /** Removes a pending request, to answer it now or to drop it. */
  take(id: string): WireId | undefined {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return undefined;
    this.#waiting.delete(id);
    this.#byWireId.delete(waiting.wireId);
    return waiting.wireId;
  }

  idOf(wireId: unknown): string | undefined {
    return this.#byWireId.get(wireId);
  }

  clear(): void {
    this.#waiting.clear();
    this.#byWireId.clear();
  }
}
