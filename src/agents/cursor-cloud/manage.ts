/** Account, models, history and the agents at the service. The key is an environment variable, so there is no sign-in. */
import { toReinsError } from "../../events/errors.ts";
import type { AgentContext, AgentManagement, Verification } from "../contract.ts";
import type { CloudManagement } from "../shared/remote.ts";
import { isOver, type Client } from "./client.ts";
import { aboutAgent } from "./failures.ts";
import { history } from "./history.ts";
import { cloudError, keyHelp, keyIn, keyVariable, secretVariable, who } from "./program.ts";
import type { Service } from "./service.ts";
import { decodeState } from "./state.ts";
import { webhookReceiver } from "./webhook.ts";

export function management(context: AgentContext, service: () => Service): AgentManagement {
  const { env } = context;
  return {
    about: async () => {
      const { api, versions } = service();
      const { key, email, name } = await versions.any((client) => client.me());
      const account = [name, email].filter((part) => part !== undefined).join(", ");
      const facts = Object.entries({ Service: api.settings.url, Key: key, Account: account });
      return facts.flatMap(([label, value]) => (value ? [{ label, value }] : []));
    },
    models: async () => {
      const models = await service().versions.any((client) => client.models());
      return models.map(({ id, label, description }) => ({ id, label, description }));
    },
    verify: () => verify(env, service),
    history: history(context, service),
    cloud: cloudManagement(service),
    receiveWebhook: webhookReceiver({ secret: () => env[secretVariable] }),
    instead: {
      login: keyHelp,
      logout: `Unset ${keyVariable}.`,
      update: "It is a service: there is nothing to update here.",
      "mcp.list": "They are set up at cursor.com/dashboard; or pass servers when you open a session (`mcpServers`).",
      "mcp.enable": "Set them up at cursor.com/dashboard, or pass them when you open a session (`mcpServers`).",
      "mcp.disable": "Set them up at cursor.com/dashboard.",
      "mcp.login": "Sign in to them at cursor.com/dashboard.",
    },
  };
}

async function verify(env: AgentContext["env"], service: () => Service): Promise<Verification> {
  if (keyIn(env) === undefined) return { outcome: "no_key", message: `No key is set. ${keyHelp}` };
  try {
    await service().versions.any((client) => client.me());
    return { outcome: "works", message: `The service accepts the key in ${keyVariable}.` };
  } catch (thrown) {
    const { code, message } = toReinsError(thrown);
    return { outcome: code === "not_authenticated" ? "refused" : "unreachable", message };
  }
}

/** The service allows one request for repositories per minute. */
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
    // A 404 may also mean that the artifact does not exist.
    artifactUrl: async (id, path) => service().versions.of(known(id)).artifactUrl(id, path),
    usage: (id) => on(id, (client) => client.usage(id)),
    me: async () => any((client) => client.me()),
    async repositories() {
      const now = service().api.clock.now();
      if (repositories === undefined || now - repositories.at >= repositoriesMs) {
        const found = any((client) => client.repositories());
        // A failure is cached too, because the service would refuse another request within the minute.
        repositories = { at: now, found };
        found.catch(() => undefined);
      }
      return repositories.found;
    },
  };
}

function known(id: string): string {
  if (/^bc[-_][\w-]{1,200}$/.test(id)) return id;
  const message = `${id.slice(0, 100)} is not the id of an agent of ${who.name}.`;
  throw cloudError("invalid_input", message, "They begin with bc-; `reins cloud list` shows them.");
}
