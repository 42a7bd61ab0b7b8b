/** A part of Reins: there is nobody to sign in to, and nothing to bring up to date. */
import type { AgentManagement } from "../contract.ts";
import { models } from "./models.ts";

const noServers = "It has no MCP servers: another agent has to be used for them.";

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
