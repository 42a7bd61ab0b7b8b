/** Codex: who it is and what it can do. */
import type { Capabilities } from "../../events/capabilities.ts";
import { modes } from "../../events/modes.ts";
import type { Agent, AgentContext } from "../contract.ts";
import { requireProgram } from "../shared/program.ts";
import { keyVariables } from "./key-provider.ts";
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
  modes,
  changeModel: true,
  changeMode: true,
  images: true,
  files: true,
  systemPrompt: ["append", "replace"],
  // It has none of these.
  toolFilter: false,
  firstPromptTools: false,
  mcpServers: true,
  directories: true,
  maxTurns: false,
  budget: false,
  questions: true,
  planApproval: true,
  subagents: true,
  // They are there, but its model is not woken when one is over.
  backgroundTasks: false,
  changedInput: false,
  allowAlways: true,
  afterDeny: "continues",
  hold: {
    // It looks with commands, which a sandbox keeps from doing more than that.
    read: "none",
    search: "none",
    edit: "every",
    execute: "sandbox",
    delete: "every",
    move: "every",
    think: "none",
    fetch: "none",
    switch_mode: "none",
    other: "unsafe_only",
  },
  // Of a thread that is resumed it does not tell commands that the sandbox refused.
  toolsReported: "some",
  exitCodes: true,
  knowsModels: false,
  asksAgain: ["cut"],
  givesUp: true,
  usage: "turn",
  cost: false,
  limits: true,
};

export function createAgent(context: AgentContext): Agent {
  return {
    id: program.id,
    name: program.name,
    capabilities,
    probe: () => probe(context),
    open: async (options) => openSession(context, options, await requireProgram(program, context.env)),
    manage: management(context),
    keyVariables,
    proof,
  };
}
