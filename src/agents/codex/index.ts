/** Codex: who it is and what it can do. */
import { can, holdAll, noCapabilities } from "../../events/capabilities.ts";
import type { Capabilities } from "../../events/capabilities.ts";
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
  // No filter of tools: it has none.
  ...can("mcpServers", "directories"),
  // No background tasks: they are there, but its model is not woken when one is over.
  ...can("questions", "planApproval", "subagents", "allowAlways"),
  afterDeny: "continues",
  hold: {
    ...holdAll("none"),
    // It looks with commands, which a sandbox keeps from doing more than that.
    execute: "sandbox",
    edit: "every",
    delete: "every",
    move: "every",
    other: "unsafe_only",
  },
  // Of a thread that is resumed it does not tell commands that the sandbox refused.
  toolsReported: "some",
  ...can("exitCodes", "givesUp", "limits"),
  asksAgain: ["cut"],
  usage: "turn",
};

export function createAgent(context: AgentContext): Agent {
  return programAgent(context, { program, capabilities, probe, openSession, management, keyVariables, proof });
}
