/** Requests to the service: endpoints with their rate limits, retries when they are safe, and answers cached by ETag. */
import { errorInfo, toReinsError } from "../../events/errors.ts";
import type { AgentEventOf } from "../../events/types.ts";
import { exchange, type HttpAnswer, type HttpOptions } from "../../protocols/http/client.ts";
import { httpRefusalOf } from "../../protocols/http/errors.ts";
import { explained, failures } from "./failures.ts";
import { cloudError, who, type Settings } from "./program.ts";
import { RateLimit, backoff, realClock, retryAfter, type Clock } from "./rate-limit.ts";
import type { Answer, Schemas } from "./schemas.ts";

export interface Endpoint {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly answer: keyof Schemas;
  readonly limits: Limits;
  readonly idempotent: boolean;
}

export interface Limits {
  readonly perMinute: number;
  readonly perHour?: number;
}

/** The documented default. */
export const usualLimits: Limits = { perMinute: 20 };

type Of<Name extends keyof Schemas> = Endpoint & { readonly answer: Name };

function get<Name extends keyof Schemas>(path: string, answer: Name, limits: Limits = usualLimits): Of<Name> {
  return { method: "GET", path, answer, limits, idempotent: true };
}

function post<Name extends keyof Schemas>(path: string, answer: Name, idempotent = false): Of<Name> {
  return { method: "POST", path, answer, limits: usualLimits, idempotent };
}

function remove(path: string): Of<"id"> {
  return { method: "DELETE", path, answer: "id", limits: usualLimits, idempotent: true };
}

const rarely: Limits = { perMinute: 1, perHour: 30 };

export const endpoints = {
  // Idempotent by the id that Reins chose: a second request is refused because the id is taken.
  create: post("/v1/agents", "created", true),
  createUnnamed: post("/v1/agents", "created"),
  list: get("/v1/agents", "agents"),
  agent: get("/v1/agents/{id}", "agent"),
  remove: remove("/v1/agents/{id}"),
  archive: post("/v1/agents/{id}/archive", "id", true),
  unarchive: post("/v1/agents/{id}/unarchive", "id", true),
  startRun: post("/v1/agents/{id}/runs", "startedRun"),
  runs: get("/v1/agents/{id}/runs", "runs"),
  run: get("/v1/agents/{id}/runs/{runId}", "run"),
  cancel: post("/v1/agents/{id}/runs/{runId}/cancel", "id", true),
  usage: get("/v1/agents/{id}/usage", "usage"),
  artifacts: get("/v1/agents/{id}/artifacts", "artifacts"),
  download: get("/v1/agents/{id}/artifacts/download", "download"),
  me: get("/v1/me", "me"),
  models: get("/v1/models", "models"),
  repositories: get("/v1/repositories", "repositories", rarely),

  legacyCreate: post("/v0/agents", "legacyAgent"),
  legacyList: get("/v0/agents", "legacyAgents"),
  legacyAgent: get("/v0/agents/{id}", "legacyAgent"),
  legacyConversation: get("/v0/agents/{id}/conversation", "legacyConversation"),
  legacyFollowUp: post("/v0/agents/{id}/followup", "id"),
  legacyStop: post("/v0/agents/{id}/stop", "id", true),
  legacyRemove: remove("/v0/agents/{id}"),
  legacyArtifacts: get("/v0/agents/{id}/artifacts", "legacyArtifacts"),
  legacyMe: get("/v0/me", "me"),
  legacyModels: get("/v0/models", "legacyModels"),
  legacyRepositories: get("/v0/repositories", "legacyRepositories", rarely),
};

export type EndpointName = keyof typeof endpoints;
type AnswerTo<Name extends EndpointName> = Answer<(typeof endpoints)[Name]["answer"]>;

export const streamPath = "/v1/agents/{id}/runs/{runId}/stream";

export function pathOf(template: string, params: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(params[name] ?? ""));
}

interface ApiOptions {
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
  /** Ends a wait before a retry, but not a request that was sent, because the service may have carried it out. */
  readonly waiting?: AbortSignal | undefined;
  readonly onRetry?: ((event: AgentEventOf<"agent.retrying">) => void) | undefined;
}

const tries = 5;
/** For a longer wait the request fails, and the caller decides. */
const longestWaitMs = 60_000;
const remembered = 64;

export class Api {
  readonly http: HttpOptions;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly pace: RateLimit;
  readonly #requestMs: number;
  readonly #tagged = new Map<string, { readonly tag: string; readonly body: unknown }>();

  constructor({ settings, fetch, requestMs, maxBytes, clock = realClock }: ApiOptions) {
    this.settings = settings;
    this.clock = clock;
    this.pace = new RateLimit(clock);
    this.#requestMs = requestMs;
    const { url, authorization } = settings;
    const asker = { name: who.name, agent: who.id, classify: failures.ending };
    this.http = { ...asker, url, headers: { authorization }, fetch, maxBytes };
  }

  async call<Name extends EndpointName>(name: Name, asked: Asked = {}): Promise<AnswerTo<Name>> {
    const endpoint: Endpoint = endpoints[name];
    const body = await this.#retried(endpoint, asked);
    const { schemas } = await import("./schemas.ts");
    const { success, data } = schemas[endpoint.answer].safeParse(body);
    if (success) return data as AnswerTo<Name>;
    const help = "Try again. If it keeps failing, the service no longer matches its documentation.";
    // A text that is not JSON, such as a web page, comes from a proxy between here and the service.
    const code = typeof body === "string" ? "network" : "protocol_error";
    throw cloudError(code, `${who.name} sent an unreadable answer to ${whatOf(endpoint)}.`, help);
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

  /** Throws the explained error when a retry is not safe or not useful. */
  async #wait(thrown: unknown, endpoint: Endpoint, asked: Asked, attempt: number): Promise<void> {
    const told = retryAfter(httpRefusalOf(thrown)?.retryAfter, this.clock.now());
    const resetsAt = told === undefined ? undefined : new Date(this.clock.now() + told).toISOString();
    const error = explained(thrown, whatOf(endpoint), resetsAt);
    const delayMs = told ?? backoff(attempt);
    // A used-up plan is a 429 too, but waiting does not help.
    const passes = mayPass(thrown, endpoint) && error.code !== "quota_exhausted";
    // An endpoint with a limit of one request per minute would keep the caller waiting for minutes.
    const most = endpoint.limits === rarely ? 1 : tries;
    if (attempt >= most || !passes || delayMs > longestWaitMs) throw error;
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

/** True when the request was refused before it was carried out, or is idempotent. */
function mayPass(thrown: unknown, { idempotent }: Endpoint): boolean {
  const refusal = httpRefusalOf(thrown);
  if (refusal !== undefined) return refusal.status === 429 || (idempotent && refusal.status >= 500);
  const { code } = toReinsError(thrown);
  return idempotent && (code === "network" || code === "agent_hung");
}

function withQuery(path: string, query: NonNullable<Asked["query"]>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const words = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return words === "" ? path : `${path}?${words}`;
}
