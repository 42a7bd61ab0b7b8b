/** One request to the service and its answer: in its turn, again where that is safe, and not a second time what has not changed. */
import { exchange } from "../../drivers/http/client.ts";
import type { HttpAnswer } from "../../drivers/http/client.ts";
import { httpRefusalOf } from "../../drivers/http/errors.ts";
import type { HttpOptions } from "../../drivers/http/types.ts";
import { errorInfo, ReinsError, toReinsError } from "../../events/errors.ts";
import type { AgentEventOf } from "../../events/types.ts";
import { backoff, retryAfter } from "./backoff.ts";
import { endpoints, pathOf } from "./endpoints.ts";
import type { Endpoint, EndpointName } from "./endpoints.ts";
import { explained } from "./errors.ts";
import { Pace, realClock } from "./pace.ts";
import type { Clock } from "./pace.ts";
import type { Answer } from "./schemas.ts";
import type { Settings } from "./settings.ts";
import { who } from "./who.ts";

export interface ApiOptions {
  readonly settings: Settings;
  readonly fetch?: typeof fetch | undefined;
  readonly requestMs: number;
  readonly maxBytes: number;
  readonly clock?: Clock | undefined;
}

export interface Asked {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  /** Ends a wait for a further try, but not a request that is on its way: nobody knows what would become of that. */
  readonly waiting?: AbortSignal | undefined;
  /** Told before each further try. */
  readonly onRetry?: ((event: AgentEventOf<"agent.retrying">) => void) | undefined;
}

const tries = 5;
/** A longer wait is the caller's to decide about. */
const longestWaitMs = 60_000;
/** How many answers are remembered for the next time. */
const remembered = 64;

export class Api {
  readonly http: HttpOptions;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly pace: Pace;
  readonly #requestMs: number;
  readonly #tagged = new Map<string, { readonly tag: string; readonly body: unknown }>();

  constructor({ settings, fetch, requestMs, maxBytes, clock = realClock }: ApiOptions) {
    this.settings = settings;
    this.clock = clock;
    this.pace = new Pace(clock);
    this.#requestMs = requestMs;
    const headers = { authorization: settings.authorization };
    this.http = { url: settings.url, headers, fetch, name: who.name, agent: who.id, maxBytes };
  }

  /** Throws a ReinsError. */
  async call<Name extends EndpointName>(
    name: Name,
    asked: Asked = {},
  ): Promise<Answer<(typeof endpoints)[Name]["answer"]>> {
    const endpoint: Endpoint = endpoints[name];
    const body = await this.#retried(endpoint, asked);
    const { schemas } = await import("./schemas.ts");
    const { success, data } = schemas[endpoint.answer].safeParse(body);
    if (success) return data as Answer<(typeof endpoints)[Name]["answer"]>;
    throw new ReinsError("protocol_error", `${who.name} answered ${whatOf(endpoint)} with something unreadable.`, {
      agent: who.id,
      help: "Try again; if it stays so, the service speaks otherwise than it is documented.",
    });
  }

  async #retried(endpoint: Endpoint, asked: Asked): Promise<unknown> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.pace.turn(whatOf(endpoint), endpoint.limits, waitingOf(asked));
        return await this.#once(endpoint, asked);
      } catch (thrown) {
        asked.signal?.throwIfAborted();
        asked.waiting?.throwIfAborted();
        await this.#wait(thrown, endpoint, asked, attempt);
      }
    }
  }

  /** Before a further try. Throws what was thrown, with our words, where there is none. */
  async #wait(thrown: unknown, endpoint: Endpoint, asked: Asked, attempt: number): Promise<void> {
    const told = retryAfter(httpRefusalOf(thrown)?.retryAfter, this.clock.now());
    const resetsAt = told === undefined ? undefined : new Date(this.clock.now() + told).toISOString();
    const error = explained(thrown, whatOf(endpoint), resetsAt);
    const delayMs = told ?? backoff(attempt);
    // A plan that is used up says 429 too, and no wait of ours helps.
    const passes = mayPass(thrown, endpoint) && error.code !== "quota_exhausted";
    if (attempt >= tries || !passes || delayMs > longestWaitMs) throw error;
    asked.onRetry?.({ type: "agent.retrying", attempt, ofMax: tries - 1, delayMs, error: errorInfo(error) });
    await this.clock.sleep(delayMs, waitingOf(asked));
  }

  async #once(endpoint: Endpoint, { params = {}, query = {}, body, signal }: Asked): Promise<unknown> {
    const path = withQuery(pathOf(endpoint.path, params), query);
    const known = endpoint.method === "GET" ? this.#tagged.get(path) : undefined;
    const answer = await exchange(this.http, {
      method: endpoint.method,
      path,
      body,
      headers: known === undefined ? {} : { "if-none-match": known.tag },
      deadlineMs: this.#requestMs,
      signal,
    });
    if (answer.status === 304 && known !== undefined) return known.body;
    if (endpoint.method === "GET") this.#remember(path, answer);
    return answer.body;
  }

  #remember(path: string, { headers, body }: HttpAnswer): void {
    const tag = headers.get("etag");
    this.#tagged.delete(path);
    if (tag === null) return;
    this.#tagged.set(path, { tag, body });
    const [oldest] = this.#tagged.keys();
    if (this.#tagged.size > remembered && oldest !== undefined) this.#tagged.delete(oldest);
  }
}

const waitingOf = ({ signal, waiting }: Asked): AbortSignal =>
  AbortSignal.any([signal, waiting].filter((one) => one !== undefined));

const whatOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

/** Refused before anything was done; or not heard of, and no harm in doing it twice. */
function mayPass(thrown: unknown, { again }: Endpoint): boolean {
  const refusal = httpRefusalOf(thrown);
  if (refusal !== undefined) return refusal.status === 429 || (again && refusal.status >= 500);
  const { code } = toReinsError(thrown);
  return again && (code === "network" || code === "agent_hung");
}

function withQuery(path: string, query: NonNullable<Asked["query"]>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const words = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return words === "" ? path : `${path}?${words}`;
}
