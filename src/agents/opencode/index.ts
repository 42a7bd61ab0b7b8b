/** OpenCode: who it is and what it can do. */
import { can, holdsEveryTool, noCapabilities } from "../../events/capabilities.ts";
import type { Capabilities } from "../../events/capabilities.ts";
import { modes } from "../../events/modes.ts";
import type { Agent, AgentContext } from "../contract.ts";
import { removeAbandonedFiles } from "../shared/private-files.ts";
import { programAgent } from "../shared/program-agent.ts";
import { keyVariables } from "./launch.ts";
import { management } from "./manage.ts";
import { openSession } from "./open.ts";
import { probe } from "./probe.ts";
import { program } from "./program.ts";
import { proof } from "./proof.ts";

const capabilities: Capabilities = {
  ...noCapabilities,
  ...can("deltas", "thinking", "resume", "fork", "steer", "cancelKeepsProcess"),
  modes,
  ...can("changeModel", "changeMode", "images", "files"),
  systemPrompt: ["append", "replace"],
  ...can("toolFilter", "firstPromptTools", "mcpServers", "directories", "maxTurns", "budget"),
  ...can("questions", "planApproval", "subagents", "backgroundTasks", "changedInput", "allowAlways"),
  ...holdsEveryTool,
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

export const recorded = () => import("./recorded.ts");
