/** Gemini CLI: who it is and what it can do. */
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
import { keyVariables } from "./sign-in.ts";

/** What is `false` here the wire does not carry; docs/agents/gemini.md says how that shows. */
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
  systemPrompt: ["replace"],
  toolFilter: true,
  firstPromptTools: false,
  mcpServers: true,
  directories: true,
  maxTurns: false,
  budget: false,
  questions: false,
  planApproval: true,
  subagents: false,
  backgroundTasks: false,
  changedInput: false,
  allowAlways: true,
  afterDeny: "continues",
  hold: Object.fromEntries(kinds.map((kind) => [kind, "unsafe_only"])) as Record<ToolKind, "unsafe_only">,
  toolsReported: "some",
  exitCodes: false,
  knowsModels: false,
  asksAgain: [],
  givesUp: true,
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
    open: async (options) => openSession(context, options, await requireProgram(program, context.env)),
    recover: () => removeAbandonedFiles(program.id),
    manage: management(context),
    keyVariables,
    proof,
  };
}
