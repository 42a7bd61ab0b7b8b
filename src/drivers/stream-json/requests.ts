import { ReinsError } from "../../events/errors.ts";

interface Waiting {
  readonly subtype: string;
  readonly resolve: (response: unknown) => void;
  readonly reject: (error: ReinsError) => void;
  readonly timer: NodeJS.Timeout;
}

/** What we asked the agent and it has not answered yet. Answers come in any order, late, twice or never. */
export class Requests {
  readonly #waiting = new Map<string, Waiting>();
  readonly #name: string;
  readonly #agent: string;
  #ended: ReinsError | undefined;
  #count = 0;

  constructor(name: string, agent: string) {
    this.#name = name;
    this.#agent = agent;
  }

  add(subtype: string, deadlineMs: number): { id: string; answer: Promise<unknown> } {
    const id = `reins-${++this.#count}`;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    if (this.#ended !== undefined) {
      reject(this.#ended);
      return { id, answer: promise };
    }
    const timer = setTimeout(() => {
      this.#waiting.delete(id);
      reject(
        new ReinsError("agent_hung", `${this.#name} did not answer ${subtype} within ${deadlineMs} ms.`, {
          agent: this.#agent,
        }),
      );
    }, deadlineMs);
    this.#waiting.set(id, { subtype, resolve, reject, timer });
    return { id, answer: promise };
  }

  /** False when nobody waits for it: it is late, came twice, or was never asked for. */
  settle(response: Readonly<Record<string, unknown>>): boolean {
    const id = String(response["request_id"]);
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return false;
    this.#waiting.delete(id);
    clearTimeout(waiting.timer);
    if (response["subtype"] === "success") waiting.resolve(response["response"]);
    else waiting.reject(this.#refusal(waiting.subtype, response));
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

  #refusal(subtype: string, response: Readonly<Record<string, unknown>>): ReinsError {
    const said = typeof response["error"] === "string" ? response["error"] : "it did not say why";
    const code = response["error_code"];
    return new ReinsError("protocol_error", `${this.#name} refused ${subtype}: ${said}`, {
      agent: this.#agent,
      cause: { said, code: typeof code === "string" ? code : undefined } satisfies Refusal,
    });
  }
}

/** The `cause` of the error when the agent answered a request with an error. */
export interface Refusal {
  readonly said: string;
  /** The agent's own code of it. */
  readonly code: string | undefined;
}

export function refusalOf(error: unknown): Refusal | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  return typeof cause === "object" && cause !== null && "said" in cause ? (cause as Refusal) : undefined;
}
