import { can, holdsEveryTool, noCapabilities, type Capabilities } from "../../events/capabilities.ts";
import { modes } from "../../events/modes.ts";
import type { Agent, AgentContext } from "../contract.ts";
import { removeAbandonedFiles } from "../shared/program/private-files.ts";
import { programAgent } from "../shared/program/program-agent.ts";
import { management } from "./manage.ts";
import { keyVariables, probe, program } from "./program.ts";
import { proof } from "./proof.ts";
import { openSession } from "./server.ts";

const capabilities: Capabilities = {
  ...noCapabilities,
  ...can("deltas", "thinking", "resume", "fork", "steer", "cancelKeepsProcess"),
  modes,
  ...can("changeModel", "changeMode", "images", "files"),
  systemPrompt: ["append", "replace"],
  ...can("toolFilter", "firstPromptTools", "mcpServers", "directories", "maxTurns", "budget"),
  ...can("questions", "planApproval", "subagents", "backgroundTasks", "changedInput", "allowAlways"),
  ...holdsEveryTool,
  judge: "reins",
  ...can("exitCodes", "knowsModels", "givesUp", "cost"),
  asksAgain: ["cut"],
  usage: "turn",
};

export function createAgent(context: AgentContext): Agent {
  return {
    ...programAgent(context, { program, capabilities, probe, openSession, management, keyVariables, proof }),
    recover: () => removeAbandonedFiles(program.id),
  };
}
