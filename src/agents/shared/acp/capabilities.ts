/** Capabilities of an ACP agent that has no folder of its own. */
import { can, holdAll, noCapabilities, type Capabilities } from "../../../events/capabilities.ts";
import { modes, type Mode } from "../../../events/modes.ts";
import type { AcpAgentOptions } from "../../../protocols/acp/index.ts";

/**
 * It asks for what it thinks unsafe itself, so `ask` is as good as its own judgement and `full` allows what it asks. To look only,
 * or to plan, it must be put into a mode of its own, which its quirks have to name.
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
    hold: holdAll("unsafe_only"),
    toolsReported: "some",
    ...can("knowsModels", "givesUp", "cost"),
    usage: quirks.usage === undefined ? "none" : "turn",
  };
}
