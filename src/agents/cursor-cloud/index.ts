/** Cursor's agents in the cloud: who they are and what they can do. */
import { can, noCapabilities } from "../../events/capabilities.ts";
import type { Capabilities } from "../../events/capabilities.ts";
import type { Agent, AgentContext } from "../contract.ts";
import { management } from "./manage.ts";
import { keyVariable, probe, secretVariable, who } from "./program.ts";
import { serviceOf } from "./service.ts";
import { openSession } from "./session.ts";

/** Of the newer API. The older has no stream: it tells whole messages, no tools, no thoughts and no usage. */
const capabilities: Capabilities = {
  ...noCapabilities,
  ...can("deltas", "thinking", "resume", "cancelKeepsProcess"),
  // It asks nobody: what it does, it does in a machine of its own.
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
