/** The demo agent: works with nothing installed, and really reads, edits and runs things in the folder. */
import type { Capabilities } from "../../events/capabilities.ts";
import type { Agent, AgentContext } from "../contract.ts";
import { promptHelp } from "./help.ts";
import { demoVersion, models } from "./models.ts";
import { DemoSession } from "./session.ts";

const capabilities: Capabilities = {
  deltas: true,
  thinking: true,
  resume: true,
  fork: true,
  history: false,
  steer: false,
  cancelKeepsProcess: true,
  modes: ["read", "plan", "ask", "edits", "full"],
  keepsEdits: true,
  changeModel: false,
  changeMode: true,
  images: false,
  files: false,
  systemPrompt: [],
  toolFilter: true,
  firstPromptTools: true,
  mcpServers: false,
  directories: true,
  maxTurns: false,
  budget: false,
  questions: true,
  planApproval: true,
  subagents: true,
  backgroundTasks: true,
  changedInput: true,
  allowAlways: true,
  afterDeny: "continues",
  // Each of its tools waits, but those of the kinds with `none`, which touch nothing. It has none that deletes, moves or fetches.
  hold: {
    read: "every",
    search: "every",
    edit: "every",
    execute: "every",
    delete: "every",
    move: "every",
    think: "none",
    fetch: "every",
    switch_mode: "none",
    other: "none",
  },
  toolsReported: "all",
  exitCodes: true,
  knowsModels: true,
  asksAgain: [],
  givesUp: true,
  usage: "none",
  cost: false,
  limits: false,
};

export function createAgent(context: AgentContext): Agent {
  return {
    id: "demo",
    name: "Demo",
    capabilities,
    promptHelp,
    probe: async () => ({
      ready: true,
      installed: true,
      version: demoVersion,
      signedIn: "yes",
      signedInHow: "needs no account",
      models,
    }),
    open: async (options) => new DemoSession(context, options),
    manage: { models: async () => models },
  };
}
