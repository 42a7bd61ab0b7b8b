/** Management of an agent: the same actions for every agent, and advice for actions that the agent does not offer. */
import type { Agent, ManagementAction, ManagementCommand, Place } from "../../agents/contract.ts";
import { ReinsError } from "../../events/errors.ts";
import type { Limits } from "../../events/limits.ts";
import type { Redactor } from "../../events/redact.ts";
import { currentFolder } from "../../process/launch/current-folder.ts";
import type { Management } from "../api.ts";
import { cleanError } from "../redaction.ts";
import { cloudOf } from "./remote-agents.ts";
import type { ModelLists } from "./model-lists.ts";
import type { Readinesses } from "./status.ts";
import type { CircuitBreaker } from "../route/circuit-breaker.ts";

const words: Record<ManagementAction, string> = {
  login: "no command to sign in",
  logout: "no command to sign out",
  update: "no command to update itself",
  interface: "no interface of its own",
  about: "no further information",
  models: "no list of its models",
  verify: "no way to check its key without a request to a model",
  history: "no conversations on this machine that Reins can read",
  hooks: "no hooks that Reins can install",
  createConversation: "no command to make an empty conversation",
  "mcp.list": "no list of its MCP servers",
  "mcp.tools": "no list of the tools of an MCP server",
  "mcp.enable": "no command to enable an MCP server",
  "mcp.disable": "no command to disable an MCP server",
  "mcp.login": "no command to sign in to an MCP server",
};

export interface Managing {
  readonly agent: Agent;
  readonly readiness: Readinesses;
  readonly models: ModelLists;
  readonly redact: Redactor;
  readonly breaker: CircuitBreaker;
  readonly limits: Limits;
}

export function managementOf({ agent, readiness, models, redact, breaker, limits }: Managing): Management {
  const { manage } = agent;
  /** Performs the action if the agent offers it. Errors are redacted, because an agent's message may contain secrets. */
  const ask = async <Value>(action: ManagementAction, does: (() => Promise<Value>) | undefined): Promise<Value> => {
    try {
      if (does !== undefined) return await does();
      const help = manage.instead?.[action];
      throw new ReinsError("unsupported", `${agent.name} has ${words[action]}.`, { agent: agent.id, help });
    } catch (thrown) {
      throw cleanError(thrown, redact);
    }
  };
  const show = async <Value>(action: ManagementAction, does: (() => Promise<Value>) | undefined): Promise<Value> =>
    redact.deep(await ask(action, does));
  /** A command for the user to run. Refused when the program is not installed, because an update must not install it. */
  const command = async (
    action: ManagementAction,
    does: (() => Promise<ManagementCommand>) | undefined,
  ): Promise<ManagementCommand> => {
    const { installed, help } = does === undefined ? { installed: true, help: undefined } : await readiness.of(agent);
    if (installed) return ask(action, does);
    throw new ReinsError("not_installed", `${agent.name} is not installed.`, { agent: agent.id, help });
  };
  /** Running the command may change everything known about the agent, so forget it. */
  const changing = async (action: "login" | "logout" | "update"): Promise<ManagementCommand> => {
    const found = await command(action, manage[action]);
    readiness.changing(agent.id);
    breaker.clear(agent.id);
    await models.forget(agent.id);
    return found;
  };
  const { list, tools, enable, disable, login } = manage.mcp ?? {};
  const { createConversation: create, hooks } = manage;
  const folder = ({ cwd = currentFolder() }: Place = {}): Place => ({ cwd });
  return {
    login: () => changing("login"),
    logout: () => changing("logout"),
    update: () => changing("update"),
    interface: () => command("interface", manage.interface),
    about: () => show("about", manage.about),
    models: ({ fresh = false } = {}) => show("models", manage.models && (() => models.of(agent, fresh))),
    verify: () => show("verify", manage.verify),
    mcp: {
      list: (at) => show("mcp.list", list && (() => list(folder(at)))),
      tools: (name, at) => show("mcp.tools", tools && (() => tools(name, folder(at)))),
      enable: (name, at) => ask("mcp.enable", enable && (() => enable(name, folder(at)))),
      disable: (name, at) => ask("mcp.disable", disable && (() => disable(name, folder(at)))),
      login: (name) => command("mcp.login", login && (() => login(name))),
    },
    hooks: {
      status: (at) => show("hooks", hooks && (() => hooks.status(folder(at)))),
      install: (scope, at) => ask("hooks", hooks && (() => hooks.install(scope, folder(at)))),
      remove: (scope, at) => ask("hooks", hooks && (() => hooks.remove(scope, folder(at)))),
    },
    cloud: cloudOf(agent, redact, limits),
    receiveWebhook: manage.receiveWebhook,
    createConversation: (at) => ask("createConversation", create && (() => create(folder(at)))),
  };
}
