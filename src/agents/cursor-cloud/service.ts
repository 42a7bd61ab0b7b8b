/** The service as one Reins knows it: asked for the first time, it is told who asks. */
import type { AgentContext } from "../contract.ts";
import { Api } from "./api.ts";
import { settingsOf } from "./settings.ts";
import { Versions } from "./versions.ts";

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
