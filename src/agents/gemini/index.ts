import { can, holdAll, noCapabilities, type Capabilities } from "../../events/capabilities.ts";
import { modes } from "../../events/modes.ts";
import type { Agent, AgentContext } from "../contract.ts";
import { removeAbandonedFiles } from "../shared/program/private-files.ts";
import { programAgent } from "../shared/program/program-agent.ts";
import { management } from "./manage.ts";
import { openSession } from "./session.ts";
import { keyVariables, probe, program } from "./program.ts";
import { proof } from "./proof.ts";

/** docs/agents/gemini.md explains what is missing. */
const capabilities: Capabilities = {
  ...noCapabilities,
  ...can("deltas", "thinking", "resume", "cancelKeepsProcess"),
  modes,
  ...can("changeModel", "changeMode", "images", "files"),
  systemPrompt: ["replace"],
  ...can("toolFilter", "mcpServers", "directories", "planApproval", "allowAlways"),
  afterDeny: "continues",
  denialMessage: "none",
  hold: holdAll("unsafe_only"),
  toolsReported: "some",
  ...can("givesUp"),
  usage: "turn",
};

export function createAgent(context: AgentContext): Agent {
  return {
    ...programAgent(context, { program, capabilities, probe, openSession, management, keyVariables, proof }),
    recover: () => removeAbandonedFiles(program.id),
  };
}
