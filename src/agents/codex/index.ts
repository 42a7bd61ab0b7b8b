import { can, holdAll, noCapabilities, type Capabilities } from "../../events/capabilities.ts";
import { modes } from "../../events/modes.ts";
import type { Agent, AgentContext } from "../contract.ts";
import { programAgent } from "../shared/program/program-agent.ts";
import { management } from "./manage.ts";
import { keyVariables, probe, program } from "./program.ts";
import { proof } from "./proof.ts";
import { openSession } from "./session.ts";

const capabilities: Capabilities = {
  ...noCapabilities,
  ...can("deltas", "thinking", "resume", "fork", "history", "steer", "cancelKeepsProcess"),
  modes,
  ...can("changeModel", "changeMode", "images", "files"),
  systemPrompt: ["append", "replace"],
  ...can("mcpServers", "directories"),
  // Not `backgroundTasks`: the model is not woken when a background command ends.
  ...can("questions", "planApproval", "subagents", "allowAlways"),
  afterDeny: "continues",
  denialMessage: "plans",
  hold: {
    ...holdAll("none"),
    // Codex reads files with commands; its sandbox keeps them from writing.
    execute: "sandbox",
    edit: "every",
    delete: "every",
    move: "every",
    other: "unsafe_only",
  },
  // A resumed thread does not report commands that the sandbox refused.
  toolsReported: "some",
  ...can("exitCodes", "givesUp", "limits"),
  asksAgain: ["cut"],
  usage: "turn",
};

export function createAgent(context: AgentContext): Agent {
  return programAgent(context, { program, capabilities, probe, openSession, management, keyVariables, proof });
}
