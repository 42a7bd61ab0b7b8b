/** The demo agent is part of Reins: it has one scripted model, no account, and no updates of its own. */
import { ReinsError } from "../../events/errors.ts";
import type { AgentManagement, ModelInfo } from "../contract.ts";

export const demoVersion = "1";

const model = "scripted";

export const models: readonly ModelInfo[] = [
  { id: model, label: "Scripted", description: "No model: it does what the prompt says.", default: true },
];

/** Returns the model's name, also when none was given. */
export function knownModel(name: string | undefined): string {
  if (name === undefined || name === model) return model;
  throw new ReinsError("model_unknown", `The demo agent has no model ${name}.`, {
    agent: "demo",
    help: `Leave the model out, or use ${model}.`,
  });
}

const noServers = "The demo agent has no MCP servers: use another agent for them.";

export const manage: AgentManagement = {
  models: async () => models,
  instead: {
    login: "It needs no account: send it a prompt.",
    logout: "It has no account: there is nothing to do.",
    update: "It comes with Reins: update Reins.",
    about: "See `reins run -a demo --help` for what its prompts may say.",
    verify: "It has no key: there is nothing to try.",
    "mcp.list": noServers,
    "mcp.enable": noServers,
    "mcp.disable": noServers,
    "mcp.login": noServers,
  },
};
