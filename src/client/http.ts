/** Calls of the API. One that was cut is made again where that does nothing twice. */
import type { ReinsError } from "../events/errors.ts";
import { errorOf, unreachable } from "./errors.ts";
import { Patience } from "./patience.ts";

/** As much of an answer, and of `fetch`, as is needed. */
export type AnswerLike = Pick<Response, "ok" | "status" | "json" | "text" | "arrayBuffer">;
export type FetchLike = (
  url: string,
  init?: {
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    /** Whoever asks goes: it may be answered with nothing as soon as it is sent. */
    readonly leaving?: boolean;
  },
) => Promise<AnswerLike>;

export interface HttpOptions {
  readonly url: string;
  readonly token: string | undefined;
  readonly fetch: FetchLike;
  readonly patienceMs: number;
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

interface Call {
  readonly query?: Query | undefined;
  readonly body?: unknown;
  /** The same again does nothing more. */
  readonly again?: boolean;
  /** ... because it is known by this key. */
  readonly key?: string;
  /** Nobody waits for the answer. */
  readonly leaving?: boolean;
}

type Got<Value> = { readonly value: Value } | { readonly refused: ReinsError } | { readonly cause: unknown };

export class Http {
  readonly #options: HttpOptions;
  #gone = false;

  constructor(options: HttpOptions) {
    this.#options = options;
  }

  get<Answer>(path: string, query?: Query): Promise<Answer> {
    return this.#json("GET", path, { query, again: true });
  }

  post<Answer>(path: string, body: unknown = {}, call: Omit<Call, "body"> = {}): Promise<Answer> {
    return this.#json("POST", path, { ...call, body });
  }

  patch<Answer>(path: string, body: unknown): Promise<Answer> {
    return this.#json("PATCH", path, { body });
  }

  delete<Answer>(path: string, query?: Query): Promise<Answer> {
    return this.#json("DELETE", path, { query });
  }

  async bytes(path: string): Promise<Uint8Array> {
    return new Uint8Array(await this.#call("GET", path, { again: true }, (answer) => answer.arrayBuffer()));
  }

  async #json<Answer>(method: string, path: string, call: Call): Promise<Answer> {
    return (await this.#call(method, path, call, (answer) => answer.json())) as Answer;
  }

  async #call<Value>(
    method: string,
    path: string,
    call: Call,
    read: (answer: AnswerLike) => Promise<Value>,
  ): Promise<Value> {
    const { url, patienceMs } = this.#options;
    const again = call.again === true || call.key !== undefined;
    // Who was waited for in vain is waited for no more, until there is an answer.
    const patience = new Patience(again && !this.#gone ? patienceMs : 0);
    for (;;) {
      const got = await this.#once(method, path, call, read);
      this.#gone &&= "cause" in got;
      if ("value" in got) return got.value;
      if ("refused" in got) throw got.refused;
      if (await patience.another()) continue;
      this.#gone ||= again;
      throw unreachable(url, got.cause);
    }
  }

  /** What cannot be reached, or is cut while it answers, is told apart from what was refused. */
  async #once<Value>(
    method: string,
    path: string,
    { query, body, key, leaving }: Call,
    read: (answer: AnswerLike) => Promise<Value>,
  ): Promise<Got<Value>> {
    const { url, token, fetch } = this.#options;
    try {
      const answer = await fetch(url + path + queryOf(query), {
        method,
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { "content-type": "application/json" }),
          ...(key !== undefined && { "idempotency-key": key }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(leaving === true && { leaving }),
      });
      if (answer.ok) return { value: await read(answer) };
      return { refused: errorOf(parsed(await answer.text()), answer.status) };
    } catch (cause) {
      return { cause };
    }
  }
}

function queryOf(query: Query = {}): string {
  const words = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return words.length === 0 ? "" : `?${new URLSearchParams(words).toString()}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
