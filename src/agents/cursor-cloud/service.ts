/** Which version of the API answers: the newer one, and the older for agents that are its own and where the newer is not there. */
import type { AgentContext } from "../contract.ts";
import { Api } from "./client-http.ts";
import { clientV0 } from "./client-v0.ts";
import { clientV1 } from "./client-v1.ts";
import type { Client } from "./client.ts";
import { apiCodeOf, statusOf } from "./failures.ts";
import { settingsOf } from "./program.ts";

export class Versions {
  readonly #api: Api;
  readonly #v0: Client;
  readonly #v1: Client;
  #only: "v0" | "v1" | undefined;

  constructor(api: Api) {
    this.#api = api;
    this.#only = api.settings.only;
    this.#v0 = clientV0(api);
    this.#v1 = clientV1(api);
  }

  /** The one that knows this agent: the older spells ids with `_`. */
  of(id: string): Client {
    return this.#only === "v0" || id.startsWith("bc_") ? this.#v0 : this.#v1;
  }

  /** For what only the older one has. */
  get older(): Client {
    return this.#v0;
  }

  /** Whichever is there. `work` may be done twice, and only where the first time came to nothing. */
  async any<Value>(work: (client: Client) => Promise<Value>): Promise<Value> {
    if (this.#only === "v0") return work(this.#v0);
    try {
      return await work(this.#v1);
    } catch (thrown) {
      if (this.#only === "v1" || !(await this.#isGone(thrown))) throw thrown;
      this.#only = "v0";
      return work(this.#v0);
    }
  }

  /** Nothing is there, not even what needs nothing to be found. */
  async #isGone(thrown: unknown): Promise<boolean> {
    if (!isNowhere(thrown)) return false;
    return this.#api.call("me").then(() => false, isNowhere);
  }
}

const isNowhere = (thrown: unknown): boolean =>
  [404, 405, 501].includes(statusOf(thrown) ?? 0) && apiCodeOf(thrown) === undefined;

/** The service as one Reins knows it: asked for the first time, it is told who asks. */

export interface Service {
  readonly api: Api;
  readonly versions: Versions;
}

/** Throws `not_authenticated` for as long as there is no key. */
export function serviceOf({ env, fetch, deadlines, limits }: AgentContext): () => Service {
  let service: Service | undefined;
  return () => {
    if (service === undefined) {
      const api = new Api({
        settings: settingsOf(env),
        fetch,
        requestMs: deadlines.request,
        maxBytes: limits.lineBytes,
      });
      service = { api, versions: new Versions(api) };
    }
    return service;
  };
}
