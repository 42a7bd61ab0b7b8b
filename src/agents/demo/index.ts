/** The demo agent: works with nothing installed, and really reads, edits and runs things in the folder. */
import { can, holdAll, noCapabilities, type Capabilities } from "../../events/capabilities.ts";
import { modes } from "../../events/modes.ts";
import type { Agent, AgentContext } from "../contract.ts";

import { demoVersion, manage, models } from "./manage.ts";

import { DemoSession } from "./session.ts";
import { promptHelp } from "./steps.ts";

const capabilities: Capabilities = {
  ...noCapabilities,
  ...can("deltas", "thinking", "resume", "fork", "cancelKeepsProcess"),
  modes,
  ...can("keepsEdits", "changeMode", "toolFilter", "firstPromptTools", "directories"),
  ...can("questions", "planApproval", "subagents", "backgroundTasks", "changedInput", "allowAlways"),
  afterDeny: "continues",
  judge: "reins",
  // Every tool is held, except the kinds with `none`, which touch nothing. There are no tools that delete, move or fetch.
  hold: { ...holdAll("every"), think: "none", switch_mode: "none", other: "none" },
  toolsReported: "all",
  ...can("exitCodes", "knowsModels", "givesUp"),
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
    manage,
  };
}
