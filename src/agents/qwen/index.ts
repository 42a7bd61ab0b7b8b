/** Qwen Code: who it is and what it can do. */
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
import { usualTemporary } from "./temporary.ts";

const capabilities: Capabilities = {
  deltas: true,
  thinking: true,
  resume: true,
  fork: true,
  history: false,
  // What is sent while it works is worked off after it.
  steer: false,
  cancelKeepsProcess: true,
  modes,
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
  budget: false,
  questions: true,
  // Driven by a program, it has no tool to put a plan up for approval: the plan is its answer.
  planApproval: false,
  subagents: true,
  // The turn waits for subagents in the background; commands in the background are not told of again.
  backgroundTasks: false,
  changedInput: true,
  allowAlways: true,
  afterDeny: "continues",
  hold: Object.fromEntries(kinds.map((kind) => [kind, "every"])) as Record<ToolKind, "every">,
  toolsReported: "all",
  exitCodes: true,
  knowsModels: false,
  asksAgain: ["cut", "empty"],
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
    recover: async () => {
      await removeAbandonedFiles(program.id);
      await removeAbandonedFiles(program.id, usualTemporary(context.env));
    },
    manage: management(context),
    keyVariables: [
      "OPENAI_API_KEY",
      "DASHSCOPE_API_KEY",
      "BAILIAN_CODING_PLAN_API_KEY",
      "BAILIAN_TOKEN_PLAN_API_KEY",
      "OPENROUTER_API_KEY",
      "ANTHROPIC_API_KEY",
      "GEMINI_API_KEY",
      "GOOGLE_API_KEY",
    ],
    proof,
  };
}
