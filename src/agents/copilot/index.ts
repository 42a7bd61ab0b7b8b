import { can, holdAll, noCapabilities, type Capabilities } from "../../events/capabilities.ts";
import { modes } from "../../events/modes.ts";
import type { Agent, AgentContext } from "../contract.ts";
import { removeAbandonedFiles } from "../shared/program/private-files.ts";
import { programAgent } from "../shared/program/program-agent.ts";
import { probe, program, requireCopilot, tokenVariables } from "./program.ts";
import { management } from "./manage.ts";
import { openSession } from "./session.ts";
import { proof } from "./proof.ts";

/** docs/agents/copilot.md explains what is missing. */
const capabilities: Capabilities = {
  ...noCapabilities,
  ...can("deltas", "thinking", "resume", "cancelKeepsProcess"),
  modes,
  ...can("changeModel", "changeMode", "images", "files"),
  systemPrompt: ["append"],
  ...can("toolFilter", "mcpServers", "directories", "subagents", "allowAlways"),
  afterDeny: "ends",
  denialMessage: "none",
  hold: holdAll("unsafe_only"),
  toolsReported: "all",
  ...can("exitCodes"),
  asksAgain: ["cut"],
  usage: "turn",
};

const keyVariables = [...tokenVariables, "COPILOT_PROVIDER_API_KEY", "COPILOT_PROVIDER_BEARER_TOKEN"];

export function createAgent(context: AgentContext): Agent {
  return {
    ...programAgent(context, {
      program,
      capabilities,
      probe,
      find: requireCopilot,
      openSession,
      management,
      keyVariables,
      proof,
    }),
    recover: () => removeAbandonedFiles(program.id),
  };
}
