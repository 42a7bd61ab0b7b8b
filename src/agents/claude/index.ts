/** Claude Code: who it is and what it can do. */
import type { Capabilities } from "../../events/capabilities.ts";
import { modes } from "../../events/modes.ts";
import { kinds } from "../../events/tools.ts";
import type { ToolKind } from "../../events/tools.ts";
import type { Agent, AgentContext } from "../contract.ts";
import { removeAbandonedFiles } from "../shared/private-files.ts";
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
  fork: true,
  history: false,
  steer: true,
  cancelKeepsProcess: true,
  modes,
  keepsEdits: true,
  changeModel: true,
  changeMode: true,
  images: true,
  files: true,
  systemPrompt: ["append", "replace"],
  toolFilter: true,
  firstPromptTools: true,
  mcpServers: true,
  directories: true,
  maxTurns: true,
  budget: true,
  questions: true,
  planApproval: true,
  subagents: true,
  backgroundTasks: true,
  changedInput: true,
  allowAlways: true,
  afterDeny: "continues",
  hold: Object.fromEntries(kinds.map((kind) => [kind, "every"])) as Record<ToolKind, "every">,
  toolsReported: "all",
  exitCodes: true,
  knowsModels: false,
  asksAgain: ["cut"],
  givesUp: true,
  usage: "turn",
  cost: true,
  limits: true,
};

export function createAgent(context: AgentContext): Agent {
  return {
    id: "claude",
    name: "Claude Code",
    capabilities,
    probe: () => probe(context),
    open: async (options) => openSession(context, options, await requireProgram(program, context.env)),
    recover: () => removeAbandonedFiles(program.id),
    manage: management(context),
    keyVariables: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
    proof,
  };
}
