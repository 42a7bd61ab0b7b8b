/** Keys, models, and what runs there. There is nobody to sign in with: a key is a variable. */
import { toReinsError } from "../../events/errors.ts";
import type { AboutFact, AgentContext, AgentManagement, Verification } from "../contract.ts";
import { cloudManagement } from "./cloud.ts";
import { history } from "./history.ts";
import type { Service } from "./service.ts";
import { keyHelp, keyIn, keyVariable, secretVariable } from "./settings.ts";
import { webhookManagement } from "./webhook.ts";

export function management(context: AgentContext, service: () => Service): AgentManagement {
  const { env } = context;
  return {
    about: () => about(service),
    models: async () => {
      const models = await service().versions.any((client) => client.models());
      return models.map(({ id, label, description }) => ({ id, label, description }));
    },
    verify: () => verify(env, service),
    history: history(context, service),
    cloud: cloudManagement(service),
    webhook: webhookManagement({ secret: () => env[secretVariable] }),
    instead: {
      login: keyHelp,
      logout: `Unset ${keyVariable}.`,
      update: "It is a service: there is nothing to update here.",
      "mcp.list":
        "They are set up at cursor.com/dashboard; or hand servers over when a session is opened (`mcpServers`).",
      "mcp.enable": "Set them up at cursor.com/dashboard, or hand them over when a session is opened (`mcpServers`).",
      "mcp.disable": "Set them up at cursor.com/dashboard.",
      "mcp.login": "Sign in to them at cursor.com/dashboard.",
    },
  };
}

async function about(service: () => Service): Promise<readonly AboutFact[]> {
  const { api, versions } = service();
  const { key, email, name } = await versions.any((client) => client.me());
  const facts = [
    ["Service", api.settings.url],
    ["Key", key],
    ["Account", [name, email].filter((part) => part !== undefined).join(", ")],
  ] as const;
  return facts.flatMap(([label, value]) => (value === undefined || value === "" ? [] : [{ label, value }]));
}

async function verify(env: AgentContext["env"], service: () => Service): Promise<Verification> {
  if (keyIn(env) === undefined) return { outcome: "no_key", message: `No key is set. ${keyHelp}` };
  try {
    await service().versions.any((client) => client.me());
    return { outcome: "works", message: `The service takes what ${keyVariable} says.` };
  } catch (thrown) {
    const { code, message } = toReinsError(thrown);
    return { outcome: code === "not_authenticated" ? "refused" : "unreachable", message };
  }
}
