/** What each local channel can do; docs/agents/cursor.md says which fact each no stands on. */
import { can, holdAll, noCapabilities } from "../../events/capabilities.ts";
import type { Capabilities } from "../../events/capabilities.ts";
import { modes } from "../../events/modes.ts";
import type { Channel } from "./channel.ts";
import { eventsOfProgram } from "./hooks/events.ts";
import type { HookEvent } from "./hooks/events.ts";

/** What is in neither was measured by nobody, or the sources do not agree; docs/cursor.md has them. */
function hooks(fires: readonly HookEvent[], silent: readonly HookEvent[]): NonNullable<Capabilities["hooks"]> {
  const known = new Set([...fires, ...silent]);
  return { fires, silent, unknown: eventsOfProgram.filter((event) => !known.has(event)) };
}

const acpCapabilities: Capabilities = {
  ...noCapabilities,
  ...can("deltas", "thinking", "resume", "cancelKeepsProcess"),
  modes,
  ...can("changeModel", "changeMode", "images", "files", "mcpServers", "directories", "questions", "planApproval"),
  ...can("allowAlways"),
  afterDeny: "continues",
  hold: holdAll("unsafe_only"),
  toolsReported: "some",
  ...can("exitCodes", "knowsModels", "givesUp"),
  asksAgain: ["cut"],
  usage: "none",
  hooks: hooks([], []),
};

/** It asks nobody: what may run is said once, when it is started. */
const printCapabilities: Capabilities = {
  ...noCapabilities,
  ...can("deltas", "thinking", "resume"),
  modes: ["read", "plan", "full"],
  ...can("changeModel", "changeMode", "images", "files", "directories"),
  afterDeny: "continues",
  toolsReported: "some",
  ...can("exitCodes", "givesUp"),
  asksAgain: ["cut"],
  usage: "turn",
  hooks: hooks(
    ["sessionStart", "sessionEnd", "preCompact"],
    ["beforeSubmitPrompt", "stop", "afterAgentResponse", "afterAgentThought"],
  ),
};

export const capabilitiesOf: Readonly<Record<Channel, Capabilities>> = {
  acp: acpCapabilities,
  print: printCapabilities,
};
