/** What can be promised of an agent nobody wrote a folder for. */
import type { Capabilities } from "../../events/capabilities.ts";
import { modes } from "../../events/modes.ts";
import type { Mode } from "../../events/modes.ts";
import { kinds } from "../../events/tools.ts";
import type { ToolKind } from "../../events/tools.ts";
import type { AcpQuirks } from "../../drivers/acp/index.ts";

/**
 * It asks for what it thinks unsafe itself, so `ask` is as good as its own judgement and `full` allows what it asks. To look only,
 * or to plan, it must be put into a mode of its own, which its quirks have to name.
 */
const always: readonly Mode[] = ["ask", "full"];

export function capabilitiesWith(quirks: AcpQuirks): Capabilities {
  const own = quirks.modes ?? {};
  return {
    deltas: true,
    thinking: true,
    resume: true,
    fork: false,
    history: false,
    steer: false,
    cancelKeepsProcess: true,
    modes: modes.filter((mode) => always.includes(mode) || own[mode] !== undefined),
    changeModel: true,
    changeMode: true,
    images: true,
    files: true,
    systemPrompt: [],
    toolFilter: false,
    firstPromptTools: false,
    mcpServers: true,
    directories: true,
    maxTurns: false,
    budget: false,
    questions: true,
    planApproval: false,
    subagents: false,
    backgroundTasks: false,
    changedInput: false,
    allowAlways: true,
    afterDeny: "continues",
    hold: Object.fromEntries(kinds.map((kind) => [kind, "unsafe_only"])) as Record<ToolKind, "unsafe_only">,
    toolsReported: "some",
    exitCodes: false,
    knowsModels: true,
    asksAgain: [],
    givesUp: true,
    usage: quirks.usage === undefined ? "none" : "turn",
    cost: true,
    limits: false,
  };
}
