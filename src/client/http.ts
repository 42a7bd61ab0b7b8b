/** Calls of the server's API. A call that was cut off is repeated only if repeating it is safe. */
import { errorTable, ReinsError, type ErrorCode, type ErrorDetails } from "../events/errors.ts";
import type { ErrorAnswer } from "../server/schemas/common.ts";
import { ReconnectDelay } from "./reconnect-delay.ts";

/** The part of a `Response` that the client uses. */
export type AnswerLike = Pick<Response, "ok" | "status" | "json" | "text" | "arrayBuffer">;
/** A function like the global `fetch`, for environments without one or for another transport. */
export type FetchLike = (
  url: string,
  init?: {
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    /** The caller is about to exit: an implementation may resolve with an empty answer as soon as the request is sent. */
    readonly leaving?: boolean;
    readonly signal?: AbortSignal;
  },
) => Promise<AnswerLike>;

interface HttpOptions {
  readonly url: string;
  readonly token?: string | undefined;
  readonly fetch: FetchLike;
  readonly patienceMs: number;
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Call {
  readonly query?: Query | undefined;
  readonly body?: unknown;
  /** The call may be repeated, because a second call has no further effect. */
  readonly again?: boolean;
  /** Idempotency key: the server recognises a repeated call by it. */
  readonly key?: string | undefined;
  /** The caller exits and does not wait for the answer. */
  readonly leaving?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export class Http {
  readonly #options: HttpOptions;
  #gone = false;

  constructor(options: HttpOptions) {
    this.#options = options;
  }

  get<Answer>(path: string, query?: Query): Promise<Answer> {
    return this.request("GET", path, { query, again: true });
  }

  async field<Value>(name: string, path: string, query?: Query): Promise<Value> {
    return (await this.get<Readonly<Record<string, Value>>>(path, query))[name]!;
  }

  post<Answer>(path: string, body: unknown = {}, call: Omit<Call, "body"> = {}): Promise<Answer> {
    return this.request("POST", path, { ...call, body });
  }

  patch<Answer>(path: string, body: unknown): Promise<Answer> {
    return this.request("PATCH", path, { body });
  }

  delete<Answer>(path: string, query?: Query): Promise<Answer> {
    return this.request("DELETE", path, { query });
  }

  async bytes(path: string): Promise<Uint8Array> {
    return new Uint8Array(await this.#call("GET", path, { again: true }, (answer) => answer.arrayBuffer()));
  }

  /** `path` starts with a slash: `request("GET", "/api/agents")`. */
  async request<Answer>(method: string, path: string, call: Call = {}): Promise<Answer> {
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
    // After waiting for the server in vain, fail at once until it answers again.
    const delay = new ReconnectDelay(again && !this.#gone ? patienceMs : 0);
    for (;;) {
      try {
        const answer = await this.#send(method, path, call);
        const value = answer.ok ? await read(answer) : errorOf(parsed(await answer.text()), answer.status);
        this.#gone = false;
        if (value instanceof ReinsError) throw value;
        return value;
      } catch (thrown) {
        if (call.signal?.aborted === true || thrown instanceof ReinsError) throw thrown;
        if (await delay.wait()) continue;
        this.#gone ||= again;
        throw unreachable(url, thrown);
      }
    }
  }

  #send(method: string, path: string, { query, body, key, leaving, signal }: Call): Promise<AnswerLike> {
    const { url, token, fetch } = this.#options;
    return fetch(url + path + queryOf(query), {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(key !== undefined && { "idempotency-key": key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(leaving === true && { leaving }),
      ...(signal !== undefined && { signal }),
    });
  }
}

function queryOf(query: Query = {}): string {
  const known = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(Object.fromEntries(known.map(([name, value]) => [name, String(value)]))).toString();
  return text === "" ? "" : `?${text}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export class AnswerError extends ReinsError {
  /** HTTP status. Undefined when the error came over the WebSocket. */
  readonly status: number | undefined;

  constructor(status: number | undefined, code: ErrorCode, message: string, details: ErrorDetails) {
    super(code, message, details);
    this.status = status;
  }
}

export function errorOf(body: unknown, status?: number): ReinsError {
  const said = (body as Partial<ErrorAnswer> | undefined)?.error;
  if (said === undefined || typeof said.message !== "string")
    return new ReinsError("network", `The server answered with status ${status}, but not like a Reins server.`, {
      help: "Check that the address is that of a Reins server.",
    });
  const { code, message, ...details } = said;
  return new AnswerError(status, code in errorTable ? code : "internal", message, details);
}

export function unreachable(url: string, cause?: unknown): ReinsError {
  return new ReinsError("network", `The server at ${url} does not answer.`, {
    help: "Is it running? `reins serve` starts one.",
    cause,
  });
}
