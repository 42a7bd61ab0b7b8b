/** What runs there, whoever began it, and what can be done with it. */
import { ReinsError } from "../../events/errors.ts";
import type { CloudManagement } from "../shared/cloud.ts";
import { isOver } from "./client.ts";
import type { Client } from "./client.ts";
import { aboutAgent } from "./errors.ts";
import type { Service } from "./service.ts";
import { decodeState } from "./state.ts";
import { who } from "./who.ts";

/** Looking them up takes the service long, and it allows one look a minute. */
const repositoriesMs = 60_000;

export function cloudManagement(service: () => Service): CloudManagement {
  let repositories: { readonly at: number; readonly found: Promise<readonly string[]> } | undefined;
  const on = async <Value>(id: string, work: (client: Client) => Promise<Value>): Promise<Value> => {
    try {
      return await work(service().versions.of(known(id)));
    } catch (thrown) {
      throw aboutAgent(id, thrown);
    }
  };
  const any: Service["versions"]["any"] = (work) => service().versions.any(work);
  return {
    list: async (options) => any((client) => client.list(options)),
    get: (id) => on(id, (client) => client.get(id)),
    idOf: (state) => decodeState(state).agentId,
    stop: (id) =>
      on(id, async (client) => {
        const run = await client.latestRun(id);
        return run === undefined || isOver(run.status) ? false : client.cancel(id, run.id);
      }),
    archive: (id) => on(id, (client) => client.archive(id, true)),
    unarchive: (id) => on(id, (client) => client.archive(id, false)),
    remove: (id) => on(id, (client) => client.remove(id)),
    artifacts: (id) => on(id, (client) => client.artifacts(id)),
    // Here it may also be the artifact that is not there.
    artifactUrl: async (id, path) => service().versions.of(known(id)).artifactUrl(id, path),
    usage: (id) => on(id, (client) => client.usage(id)),
    me: async () => any((client) => client.me()),
    async repositories() {
      const now = service().api.clock.now();
      if (repositories === undefined || now - repositories.at >= repositoriesMs) {
        const found = any((client) => client.repositories());
        repositories = { at: now, found };
        found.catch(() => (repositories = undefined));
      }
      return repositories.found;
    },
  };
}

function known(id: string): string {
  if (/^bc[-_][\w-]{1,200}$/.test(id)) return id;
  throw new ReinsError("invalid_input", `${id.slice(0, 100)} is not the id of an agent of ${who.name}.`, {
    agent: who.id,
    help: "They begin with bc-; `reins cloud list` shows them.",
  });
}
