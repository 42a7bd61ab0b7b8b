/** Calls of the API. A call that was cut is made again where that does nothing twice. */
import { errorTable, ReinsError } from "../events/errors.ts";
import type { ErrorCode, ErrorDetails } from "../events/errors.ts";
import type { ErrorAnswer } from "../server/schemas/common.ts";
import { ReconnectDelay } from "./reconnect-delay.ts";

export type AnswerLike = Pick<Response, "ok" | "status" | "json" | "text" | "arrayBuffer">;
export type FetchLike = (
  url: string,
  init?: {
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    /** The caller goes away: an implementation may answer with nothing as soon as it is sent. */
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
  /** The same again does nothing more. */
  readonly again?: boolean;
  /** ... because it is known by this key. */
  readonly key?: string | undefined;
  /** Nobody waits for the answer. */
  readonly leaving?: boolean;
  /** Gives up the call, which then throws what `fetch` throws. */
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

  /** `path` begins with a slash: `request("GET", "/api/agents")`. */
  async request<Answer>(method: string, path: string, call: Call = {}): Promise<Answer> {
    return (await this.#call(method, path, call, (answer) => answer.json())) as Answer;
  }

  /** Tells a server that cannot be reached, or is cut while it answers, apart from one that refuses. */
  async #call<Value>(
    method: string,
    path: string,
    call: Call,
    read: (answer: AnswerLike) => Promise<Value>,
  ): Promise<Value> {
    const { url, patienceMs } = this.#options;
    const again = call.again === true || call.key !== undefined;
    // After a wait in vain nothing waits, until there is an answer.
    const delay = new ReconnectDelay(again && !this.#gone ? patienceMs : 0);
    for (;;) {
      let refused: ReinsError;
      try {
        const answer = await this.#send(method, path, call);
        if (answer.ok) {
          const value = await read(answer);
          this.#gone = false;
          return value;
        }
        refused = errorOf(parsed(await answer.text()), answer.status);
      } catch (cause) {
        if (call.signal?.aborted === true) throw cause;
        if (await delay.wait()) continue;
        this.#gone ||= again;
        throw unreachable(url, cause);
      }
      this.#gone = false;
      throw refused;
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

export class AnswerError extends ReinsError {
  /** Of the HTTP answer; none where it came over the WebSocket. */
  readonly status: number | undefined;

  constructor(status: number | undefined, code: ErrorCode, message: string, details: ErrorDetails) {
    super(code, message, details);
    this.status = status;
  }
}

export function errorOf(body: unknown, status?: number): ReinsError {
  const said = (body as Partial<ErrorAnswer> | undefined)?.error;
  if (said === undefined || typeof said.message !== "string")
    return new ReinsError("network", `The server answered with ${status}, and not as Reins does.`, {
      help: "Is something else at this address?",
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

export function closed(): ReinsError {
  return new ReinsError("invalid_input", "This Reins is closed.");
}
