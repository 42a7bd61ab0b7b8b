import { ReinsError } from "../../events/errors.ts";
import type { Out, RequestOptions, RpcAnswer, RpcError, Wire } from "./types.ts";

interface Waiting {
  readonly method: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: ReinsError) => void;
  readonly timer: NodeJS.Timeout | undefined;
  readonly onAnswer: RequestOptions["onAnswer"];
}

export interface RequestsOptions {
  readonly name: string;
  readonly agent: string;
  /** A deadline passed and nobody waits any more. */
  readonly onLate: (id: number) => void;
}

/** What we asked the agent and it has not answered yet. Answers come in any order, late, twice or never. */
export class Requests {
  readonly #waiting = new Map<number, Waiting>();
  readonly #options: RequestsOptions;
  #ended: ReinsError | undefined;
  #count = 0;

  constructor(options: RequestsOptions) {
    this.#options = options;
  }

  add(
    method: string,
    deadlineMs: number,
    onAnswer?: RequestOptions["onAnswer"],
  ): { id: number; answer: Promise<unknown> } {
    const id = ++this.#count;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    // Not everybody waits for the answer of everything; a failure that nobody looks at is not a defect.
    promise.catch(() => {});
    if (this.#ended !== undefined) {
      reject(this.#ended);
      return { id, answer: promise };
    }
    const timer = deadlineMs < Infinity ? setTimeout(() => this.#late(id, deadlineMs), deadlineMs) : undefined;
    this.#waiting.set(id, { method, resolve, reject, timer, onAnswer });
    return { id, answer: promise };
  }

  /** False when nobody waits for it: it is late, came twice, or was never asked for. */
  settle(message: Wire, out: Out): boolean {
    const id = message["id"];
    const waiting = typeof id === "number" ? this.#waiting.get(id) : undefined;
    if (waiting === undefined) return false;
    this.#waiting.delete(id as number);
    clearTimeout(waiting.timer);
    const answer = answerIn(message);
    waiting.onAnswer?.(answer, out);
    if ("error" in answer) waiting.reject(this.#refusal(waiting.method, answer.error));
    else waiting.resolve(answer.result);
    return true;
  }

  /** The process is gone: nothing will be answered any more. */
  end(error: ReinsError): void {
    if (this.#ended !== undefined) return;
    this.#ended = error;
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(error);
    }
    this.#waiting.clear();
  }

  #late(id: number, deadlineMs: number): void {
    const { name, agent, onLate } = this.#options;
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.reject(
      new ReinsError("agent_hung", `${name} did not answer ${waiting.method} within ${deadlineMs} ms.`, { agent }),
    );
    onLate(id);
  }

  #refusal(method: string, error: RpcError): ReinsError {
    const { name, agent } = this.#options;
    return new ReinsError("protocol_error", `${name} refused ${method}: ${error.message}`, {
      agent,
      cause: { method, ...error } satisfies Refusal,
    });
  }
}

function answerIn(message: Wire): RpcAnswer {
  const { error } = message;
  if (error === undefined || error === null) return { result: message["result"] };
  const { code, message: said, data } = error as Wire;
  return {
    error: {
      code: typeof code === "number" ? code : 0,
      message: typeof said === "string" && said !== "" ? said : "it did not say why",
      data,
    },
  };
}

/** The `cause` of the error when the agent answered a request with an error. */
export interface Refusal extends RpcError {
  readonly method: string;
}

export function refusalOf(error: unknown): Refusal | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  return typeof cause === "object" && cause !== null && "method" in cause ? (cause as Refusal) : undefined;
}
