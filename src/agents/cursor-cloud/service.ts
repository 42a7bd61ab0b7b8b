/** Chooses the version of the API: v1, or v0 for its own agents and when there is no v1. */
import type { AgentContext } from "../contract.ts";
import { Api } from "./client-http.ts";
import { clientV0 } from "./client-v0.ts";
import { clientV1 } from "./client-v1.ts";
import type { Client } from "./client.ts";
import { apiCodeOf, statusOf } from "./failures.ts";
import { settingsOf } from "./program.ts";

export class Versions {
  readonly older: Client;
  readonly #api: Api;
  readonly #v1: Client;
  #only: "v0" | "v1" | undefined;

  constructor(api: Api) {
    this.#api = api;
    this.#only = api.settings.only;
    this.older = clientV0(api);
    this.#v1 = clientV1(api);
  }

  /** The client that knows this agent: ids of the older API contain a `_`. */
  of(id: string): Client {
    return this.#only === "v0" || id.startsWith("bc_") ? this.older : this.#v1;
  }

  /** Runs `work` with API v1, and again with v0 when the server does not have v1. */
  async any<Value>(work: (client: Client) => Promise<Value>): Promise<Value> {
    if (this.#only === "v0") return work(this.older);
    try {
      return await work(this.#v1);
    } catch (thrown) {
      if (this.#only === "v1" || !(await this.#isGone(thrown))) throw thrown;
      this.#only = "v0";
      return work(this.older);
    }
  }

  /** True when even the account is not found, so the error is not about one missing agent. */
  async #isGone(thrown: unknown): Promise<boolean> {
    if (!isNowhere(thrown)) return false;
    return this.#api.call("me").then(() => false, isNowhere);
  }
}

const isNowhere = (thrown: unknown): boolean =>
  [404, 405, 501].includes(statusOf(thrown) ?? 0) && apiCodeOf(thrown) === undefined;

export interface Service {
  readonly api: Api;
  readonly versions: Versions;
}

/** Throws `not_authenticated` while there is no key. */
export function serviceOf({ env, fetch, deadlines, limits }: AgentContext): () => Service {
  const [requestMs, maxBytes] = [deadlines.request, limits.lineBytes];
  let service: Service | undefined;
  return () => {
    if (service !== undefined) return service;
    const api = new Api({ settings: settingsOf(env), fetch, requestMs, maxBytes });
    return (service = { api, versions: new Versions(api) });
  };
}
