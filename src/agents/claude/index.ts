import { can, holdsEveryTool, noCapabilities, type Capabilities } from "../../events/capabilities.ts";
import { modes } from "../../events/modes.ts";
import type { Agent, AgentContext } from "../contract.ts";
import { removeAbandonedFiles } from "../shared/program/private-files.ts";
import { programAgent } from "../shared/program/program-agent.ts";
import { management } from "./manage.ts";
import { openSession } from "./session.ts";
import { probe, program } from "./program.ts";
import { proof } from "./proof.ts";

const capabilities: Capabilities = {
  ...noCapabilities,
  ...can("deltas", "thinking", "resume", "fork", "steer", "cancelKeepsProcess"),
  modes,
  ...can("keepsEdits", "changeModel", "changeMode", "images", "files"),
  systemPrompt: ["append", "replace"],
  ...can("toolFilter", "firstPromptTools", "mcpServers", "directories", "maxTurns", "budget"),
  ...can("questions", "planApproval", "subagents", "backgroundTasks", "changedInput", "allowAlways"),
  ...holdsEveryTool,
  ...can("exitCodes", "givesUp", "cost", "limits"),
  asksAgain: ["cut"],
  usage: "turn",
};

const keyVariables = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"];

export function createAgent(context: AgentContext): Agent {
  return {
    ...programAgent(context, { program, capabilities, probe, openSession, management, keyVariables, proof }),
    recover: () => removeAbandonedFiles(program.id),
  };
}
