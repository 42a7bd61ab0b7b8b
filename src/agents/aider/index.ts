/** Aider, which has no structured mode: driven by its screen, with rules as data. Not verified on the real program. */
import { can, noCapabilities, type Capabilities } from "../../events/capabilities.ts";
import type { Agent, AgentContext } from "../contract.ts";
import { programAgent } from "../shared/program/program-agent.ts";
import { management } from "./manage.ts";
import { keyVariables, probe, program } from "./program.ts";
import { openSession } from "./session.ts";

/** Aider edits files in its chat without asking, so it has no mode in which everything is asked. */
const capabilities: Capabilities = {
  ...noCapabilities,
  ...can("cancelKeepsProcess", "questions"),
  modes: ["edits", "full"],
  afterDeny: "continues",
  toolsReported: "some",
};

export function createAgent(context: AgentContext): Agent {
  return programAgent(context, { program, capabilities, probe, openSession, management, keyVariables });
}
