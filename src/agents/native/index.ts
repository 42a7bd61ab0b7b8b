import { can, holdsEveryTool, noCapabilities, type Capabilities } from "../../events/capabilities.ts";
import { modes } from "../../events/modes.ts";
import type { Agent, AgentContext } from "../contract.ts";
import { keyVariables, takesAnyModel } from "./endpoints.ts";
import { management } from "./manage.ts";
import { modelContext, openSession } from "./launch.ts";
import { probe } from "./program.ts";
import { proof } from "./proof.ts";

const capabilities: Capabilities = {
  ...noCapabilities,
  ...can("deltas", "thinking", "resume", "fork", "history", "steer", "cancelKeepsProcess"),
  modes,
  ...can("keepsEdits", "changeModel", "changeMode", "images", "files"),
  systemPrompt: ["append", "replace"],
  // No budget: no service reports what a request cost.
  ...can("toolFilter", "firstPromptTools", "mcpServers", "directories", "maxTurns"),
  ...can("questions", "planApproval", "subagents", "backgroundTasks", "changedInput", "allowAlways"),
  ...holdsEveryTool,
  judge: "reins",
  // No limits: a key has no plan whose windows could be reported.
  ...can("exitCodes", "givesUp"),
  asksAgain: ["cut"],
  usage: "turn",
};

export function createAgent(context: AgentContext): Agent {
  return {
    id: "native",
    name: "Native",
    capabilities: { ...capabilities, knowsModels: !takesAnyModel(context.env) },
    probe: () => probe(context),
    open: (options) => openSession(context, options),
    context: (options) => modelContext(context, options),
    manage: management(context),
    keyVariables,
    proof,
  };
}
