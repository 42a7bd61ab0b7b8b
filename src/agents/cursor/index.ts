/** Cursor on this machine: its capabilities on each of its two channels. docs/agents/cursor.md gives the reason for each missing one. */
import { can, holdAll, noCapabilities, type Capabilities } from "../../events/capabilities.ts";
import { modes } from "../../events/modes.ts";
import type { Agent, AgentContext } from "../contract.ts";
import { removeAbandonedFiles } from "../shared/program/private-files.ts";
import { programAgent } from "../shared/program/program-agent.ts";
import { eventsOfProgram, type HookEvent } from "./hooks/events.ts";
import { recoverHooks } from "./hooks/manage.ts";
import { channelIn, printModes, type Channel } from "./launch.ts";
import { management } from "./manage.ts";
import { keyVariables, probe, program, requireCursor } from "./program.ts";
import { proof } from "./proof.ts";
import { opening, recoverInstructions, takesInstructions } from "./session.ts";

/** Events in neither list were not measured, or the sources disagree; docs/cursor.md lists them. */
function hooks(fires: readonly HookEvent[], silent: readonly HookEvent[]): NonNullable<Capabilities["hooks"]> {
  const known = new Set([...fires, ...silent]);
  return { fires, silent, unknown: eventsOfProgram.filter((event) => !known.has(event)) };
}

const common: Capabilities = {
  ...noCapabilities,
  modeNames: { ask: "Agent", plan: "Plan", read: "Ask" },
  ...can("deltas", "thinking", "resume", "changeModel", "changeMode", "images", "files", "directories"),
  afterDeny: "continues",
  toolsReported: "some",
  ...can("exitCodes", "givesUp"),
  asksAgain: ["cut"],
};

export const capabilitiesOf: Readonly<Record<Channel, Capabilities>> = {
  acp: {
    ...common,
    ...can("cancelKeepsProcess", "mcpServers", "questions", "planApproval", "allowAlways", "knowsModels"),
    modes,
    hold: holdAll("unsafe_only"),
    usage: "none",
    hooks: hooks([], []),
  },
  // Print mode asks nobody: what may run is decided when the process starts.
  print: {
    ...common,
    modes: modes.filter((mode) => printModes[mode] !== undefined),
    usage: "turn",
    hooks: hooks(
      ["sessionStart", "sessionEnd", "preCompact"],
      ["beforeSubmitPrompt", "stop", "afterAgentResponse", "afterAgentThought"],
    ),
  },
};

export function createAgent(context: AgentContext): Agent {
  const channel = channelIn(context.env);
  const systemPrompt: Capabilities["systemPrompt"] = takesInstructions(context.env) ? ["append"] : [];
  return {
    ...programAgent(context, {
      program,
      capabilities: { ...capabilitiesOf[channel], systemPrompt },
      probe,
      find: requireCursor,
      openSession: opening[channel],
      management,
      keyVariables,
      proof,
    }),
    recover: async () => {
      await Promise.all([removeAbandonedFiles(program.id), recoverInstructions(context), recoverHooks(context)]);
    },
  };
}
