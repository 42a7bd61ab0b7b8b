import { can, noCapabilities, type Capabilities } from "../../events/capabilities.ts";
import type { Agent, AgentContext } from "../contract.ts";
import { management } from "./manage.ts";
import { keyVariable, probe, secretVariable, who } from "./program.ts";
import { serviceOf } from "./service.ts";
import { openSession } from "./session.ts";

/** Capabilities of API v1. v0 has no stream, so it has only whole messages: no tools, thoughts or usage. */
const capabilities: Capabilities = {
  ...noCapabilities,
  ...can("deltas", "thinking", "resume", "cancelKeepsProcess"),
  // The agent works on its own machine and asks nobody.
  modes: ["plan", "full"],
  ...can("changeModel", "images", "files", "mcpServers"),
  afterDeny: "continues",
  toolsReported: "all",
  ...can("exitCodes", "knowsModels", "givesUp"),
  usage: "turn",
  elsewhere: true,
};

export function createAgent(context: AgentContext): Agent {
  const service = serviceOf(context);
  return {
    ...who,
    capabilities,
    probe: () => probe(context),
    open: async (options) => openSession(context, service(), options),
    manage: management(context, service),
    keyVariables: [keyVariable, secretVariable],
  };
}
