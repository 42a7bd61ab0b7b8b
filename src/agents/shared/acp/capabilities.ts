/** Capabilities of an ACP agent without a folder of its own. */
import { can, holdAll, noCapabilities, type Capabilities } from "../../../events/capabilities.ts";
import { modes, type Mode } from "../../../events/modes.ts";
import type { AcpAgentOptions } from "../../../protocols/acp/index.ts";

/**
 * The agent itself asks before calls it thinks unsafe, so `ask` is as strict as its own judgement, and `full` allows
 * what it asks. Modes `read` and `plan` need a mode of the agent itself, which its quirks must name.
 */
const always: readonly Mode[] = ["ask", "full"];

export function capabilitiesWith(quirks: AcpAgentOptions): Capabilities {
  const own = quirks.modes ?? {};
  return {
    ...noCapabilities,
    ...can("deltas", "thinking", "resume", "cancelKeepsProcess"),
    modes: modes.filter((mode) => always.includes(mode) || own[mode] !== undefined),
    ...can("changeModel", "changeMode", "images", "files", "mcpServers", "directories", "questions", "allowAlways"),
    afterDeny: "continues",
    denialMessage: "none",
    hold: holdAll("unsafe_only"),
    toolsReported: "some",
    ...can("knowsModels", "givesUp", "cost"),
    usage: quirks.usage === undefined ? "none" : "turn",
  };
}
