/** Claude Code through claude-agent-acp, selected only by name. */
import { can, holdAll, noCapabilities, type Capabilities } from "../../events/capabilities.ts";
import { modes } from "../../events/modes.ts";
import type { Agent, AgentContext } from "../contract.ts";
import { programAgent } from "../shared/program/program-agent.ts";
import { management } from "./manage.ts";
import { openSession } from "./session.ts";
import { keyVariables, probe, program } from "./program.ts";
import { proof } from "./proof.ts";

const capabilities: Capabilities = {
  ...noCapabilities,
  ...can("deltas", "thinking", "resume", "cancelKeepsProcess"),
  modes,
  ...can("keepsEdits", "changeModel", "changeMode", "images", "files"),
  systemPrompt: ["append", "replace"],
  ...can("toolFilter", "mcpServers", "directories", "maxTurns", "budget", "questions", "subagents", "allowAlways"),
  afterDeny: "continues",
  denialMessage: "none",
  hold: holdAll("unsafe_only"),
  toolsReported: "all",
  ...can("overtakes", "exitCodes", "knowsModels", "givesUp", "cost"),
  asksAgain: ["cut"],
  usage: "turn",
};

export function createAgent(context: AgentContext): Agent {
  return programAgent(context, { program, capabilities, probe, openSession, management, keyVariables, proof });
}
