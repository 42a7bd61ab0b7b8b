/** Looking after an agent: the same few things for every one, and where an agent has no such thing, what to do instead. */
import type { Agent, ManagementAction, ManagementCommand } from "../agents/contract.ts";
import { ReinsError } from "../events/errors.ts";
import type { Redactor } from "../events/redact.ts";
import type { Management } from "./api.ts";
import type { ModelLists } from "./model-lists.ts";
import type { Readinesses } from "./readiness.ts";

const words: Record<ManagementAction, string> = {
  login: "no command to sign in",
  logout: "no command to sign out",
  update: "no command to update itself",
  about: "nothing more to tell about itself",
  models: "no list of its models",
  verify: "no way to try its key without asking a model",
  "mcp.list": "no list of its MCP servers",
  "mcp.enable": "no command to enable an MCP server",
  "mcp.disable": "no command to disable an MCP server",
  "mcp.login": "no command to sign in to an MCP server",
};

export interface Managing {
  readonly agent: Agent;
  readonly readiness: Readinesses;
  readonly models: ModelLists;
  readonly redact: Redactor;
}

export function managementOf({ agent, readiness, models, redact }: Managing): Management {
  const { manage } = agent;
  const has = <Does>(action: ManagementAction, does: Does | undefined): Does => {
    if (does !== undefined) return does;
    const help = manage.instead?.[action];
    throw new ReinsError("unsupported", `${agent.name} has ${words[action]}.`, { agent: agent.id, help });
  };
  const signing = async (action: "login" | "logout"): Promise<ManagementCommand> => {
    const command = await has(action, manage[action])();
    readiness.changing(agent.id);
    await models.forget(agent.id);
    return command;
  };
  const mcp = manage.mcp ?? {};
  return {
    login: () => signing("login"),
    logout: () => signing("logout"),
    update: async () => has("update", manage.update)(),
    about: async () => redact.deep(await has("about", manage.about)()),
    models: async ({ fresh = false } = {}) => {
      has("models", manage.models);
      return models.of(agent, fresh);
    },
    verify: async () => redact.deep(await has("verify", manage.verify)()),
    mcp: {
      list: async () => redact.deep(await has("mcp.list", mcp.list)()),
      enable: async (name) => has("mcp.enable", mcp.enable)(name),
      disable: async (name) => has("mcp.disable", mcp.disable)(name),
      login: async (name) => has("mcp.login", mcp.login)(name),
    },
  };
}
