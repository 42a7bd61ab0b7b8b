/** pi: who it is and what it can do. */
import type { Capabilities } from "../../events/capabilities.ts";
import { kinds } from "../../events/tools.ts";
import type { ToolKind } from "../../events/tools.ts";
import type { Agent, AgentContext } from "../contract.ts";
import { removeAbandonedFiles } from "../shared/private-files.ts";
import { requireProgram } from "../shared/program.ts";
import { keyVariables } from "./launch.ts";
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
  history: true,
  steer: true,
  cancelKeepsProcess: true,
  modes: ["read", "ask", "edits", "full"],
  changeModel: true,
  changeMode: true,
  images: true,
  files: true,
  systemPrompt: ["append", "replace"],
  toolFilter: true,
  firstPromptTools: true,
  mcpServers: false,
  directories: true,
  maxTurns: false,
  budget: false,
  questions: false,
  planApproval: false,
  subagents: false,
  backgroundTasks: false,
  changedInput: true,
  allowAlways: true,
  afterDeny: "continues",
  hold: Object.fromEntries(kinds.map((kind) => [kind, "every"])) as Record<ToolKind, "every">,
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
    id: "pi",
    name: "pi",
    capabilities,
    probe: () => probe(context),
    open: async (options) => openSession(context, options, await requireProgram(program, context.env)),
    recover: () => removeAbandonedFiles("pi"),
    manage: management(context),
    keyVariables,
    proof,
  };
}
