import { can, holdsEveryTool, noCapabilities, type Capabilities } from "../../events/capabilities.ts";
import { modes } from "../../events/modes.ts";
import type { Agent, AgentContext } from "../contract.ts";
import { removeAbandonedFiles } from "../shared/program/private-files.ts";
import { programAgent } from "../shared/program/program-agent.ts";
import { words } from "../shared/words.ts";
import { management } from "./manage.ts";
import { openSession } from "./session.ts";
import { probe, program } from "./program.ts";
import { proof } from "./proof.ts";
import { usualTemporary } from "./launch.ts";

const capabilities: Capabilities = {
  ...noCapabilities,
  // No steering: the program handles a message sent during a turn only after it.
  ...can("deltas", "thinking", "resume", "fork", "cancelKeepsProcess"),
  modes,
  ...can("changeModel", "changeMode", "images", "files"),
  systemPrompt: ["append", "replace"],
  ...can("toolFilter", "mcpServers", "directories", "maxTurns"),
  // No approval of plans: without a screen the program has no tool for it, and the plan is its answer. No background tasks: the turn waits
  // for background subagents, and the program never reports on background commands again.
  ...can("questions", "subagents", "changedInput", "allowAlways"),
  ...holdsEveryTool,
  ...can("exitCodes", "givesUp"),
  asksAgain: ["cut", "empty"],
  usage: "turn",
};

const keyVariables = words(`
  OPENAI_API_KEY DASHSCOPE_API_KEY BAILIAN_CODING_PLAN_API_KEY BAILIAN_TOKEN_PLAN_API_KEY OPENROUTER_API_KEY
  ANTHROPIC_API_KEY GEMINI_API_KEY GOOGLE_API_KEY
`);

export function createAgent(context: AgentContext): Agent {
  return {
    ...programAgent(context, { program, capabilities, probe, openSession, management, keyVariables, proof }),
    recover: async () => {
      await removeAbandonedFiles(program.id);
      await removeAbandonedFiles(program.id, usualTemporary(context.env));
    },
  };
}
