/** Claude Code behind claude-agent-acp, for those who ask for it by name: who it is and what it can do. */
import type { Capabilities } from "../../events/capabilities.ts";
import { modes } from "../../events/modes.ts";
import { kinds } from "../../events/tools.ts";
import type { ToolKind } from "../../events/tools.ts";
import type { Agent, AgentContext } from "../contract.ts";
import { requireProgram } from "../shared/program.ts";
import { management } from "./manage.ts";
import { openSession } from "./open.ts";
import { probe } from "./probe.ts";
import { program } from "./program.ts";
import { proof } from "./proof.ts";

const capabilities: Capabilities = {
  deltas: true,
  thinking: true,
  resume: true,
  fork: false,
  history: false,
  steer: false,
  cancelKeepsProcess: true,
  modes,
  keepsEdits: true,
  changeModel: true,
  changeMode: true,
  images: true,
  files: true,
  systemPrompt: ["append", "replace"],
  toolFilter: true,
  firstPromptTools: false,
  mcpServers: true,
  directories: true,
  maxTurns: true,
  budget: true,
  questions: true,
  planApproval: false,
  subagents: true,
  backgroundTasks: false,
  changedInput: false,
  allowAlways: true,
  afterDeny: "continues",
  hold: Object.fromEntries(kinds.map((kind) => [kind, "unsafe_only"])) as Record<ToolKind, "unsafe_only">,
  toolsReported: "all",
  exitCodes: true,
  knowsModels: true,
  asksAgain: ["cut"],
  givesUp: true,
  usage: "turn",
  cost: true,
  limits: false,
};

export function createAgent(context: AgentContext): Agent {
  return {
    id: program.id,
    name: program.name,
    capabilities,
    probe: () => probe(context),
    open: async (options) => openSession(context, options, await requireProgram(program, context.env)),
    manage: management(context),
    keyVariables: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
    proof,
  };
}
