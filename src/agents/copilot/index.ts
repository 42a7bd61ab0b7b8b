/** GitHub Copilot: who it is and what it can do. */
import type { Capabilities } from "../../events/capabilities.ts";
import { modes } from "../../events/modes.ts";
import { kinds } from "../../events/tools.ts";
import type { ToolKind } from "../../events/tools.ts";
import type { Agent, AgentContext } from "../contract.ts";
import { removeAbandonedFiles } from "../shared/private-files.ts";
import { requireCopilot } from "./binary.ts";
import { management } from "./manage.ts";
import { openSession } from "./open.ts";
import { probe, tokenVariables } from "./probe.ts";
import { program } from "./program.ts";
import { proof } from "./proof.ts";

/** What is not there is not on its wire; docs/agents/copilot.md says which fact each no stands on. */
const capabilities: Capabilities = {
  deltas: true,
  thinking: true,
  resume: true,
  fork: false,
  history: false,
  steer: false,
  cancelKeepsProcess: true,
  modes,
  changeModel: true,
  changeMode: true,
  images: true,
  files: true,
  systemPrompt: ["append"],
  toolFilter: true,
  firstPromptTools: false,
  mcpServers: true,
  directories: true,
  maxTurns: false,
  budget: false,
  questions: false,
  planApproval: false,
  subagents: true,
  backgroundTasks: false,
  changedInput: false,
  allowAlways: true,
  afterDeny: "ends",
  hold: Object.fromEntries(kinds.map((kind) => [kind, "unsafe_only"])) as Record<ToolKind, "unsafe_only">,
  toolsReported: "all",
  exitCodes: true,
  knowsModels: false,
  asksAgain: ["cut"],
  givesUp: false,
  usage: "turn",
  cost: false,
  limits: false,
};

export function createAgent(context: AgentContext): Agent {
  return {
    id: program.id,
    name: program.name,
    capabilities,
    probe: () => probe(context),
    open: async (options) => openSession(context, options, await requireCopilot(context)),
    recover: () => removeAbandonedFiles(program.id),
    manage: management(context),
    keyVariables: [...tokenVariables, "COPILOT_PROVIDER_API_KEY", "COPILOT_PROVIDER_BEARER_TOKEN"],
    proof,
  };
}
