/** The agent in this process: who it is and what it can do. */
import type { Capabilities } from "../../events/capabilities.ts";
import { modes } from "../../events/modes.ts";
import { kinds } from "../../events/tools.ts";
import type { ToolKind } from "../../events/tools.ts";
import type { Agent, AgentContext } from "../contract.ts";
import { contextOf } from "./context.ts";
import { keyVariables } from "./endpoints.ts";
import { management } from "./manage.ts";
import { openSession } from "./open.ts";
import { probe } from "./probe.ts";
import { proof } from "./proof.ts";

const capabilities: Capabilities = {
  deltas: true,
  thinking: true,
  resume: true,
  fork: true,
  history: true,
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
  // No service tells what a request cost.
  budget: false,
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
  knowsModels: true,
  asksAgain: ["cut"],
  givesUp: true,
  usage: "turn",
  cost: false,
  // A key has no plan whose windows could be told.
  limits: false,
};

export function createAgent(context: AgentContext): Agent {
  return {
    id: "native",
    name: "Native",
    capabilities,
    probe: () => probe(context),
    open: (options) => openSession(context, options),
    context: (options) => contextOf(context, options),
    manage: management(context),
    keyVariables,
    proof,
  };
}
