/** The capability table for people: one row per capability, in the order in which every table shows them. */
import type { Capabilities } from "./capabilities.ts";
import { modes } from "./modes.ts";
import { kinds } from "./tools.ts";

export interface CapabilityRow {
  /** Id of the row, such as `deltas`, `modes.ask`, `hold.edit`, `systemPrompt.append`. */
  readonly id: string;
  readonly label: string;
  /** The declared value: true or false, or a word such as `every`. */
  readonly of: (can: Capabilities) => boolean | string;
}

type Flag = {
  [Key in keyof Capabilities]-?: Capabilities[Key] extends boolean | undefined ? Key : never;
}[keyof Capabilities];
type Word = "afterDeny" | "toolsReported" | "usage";

const flag = (id: Flag, label: string): CapabilityRow => ({ id, label, of: (can) => can[id] === true });
const word = (id: Word, label: string): CapabilityRow => ({ id, label, of: (can) => can[id] });

export const capabilityRows: readonly CapabilityRow[] = [
  flag("deltas", "text as it is written"),
  flag("thinking", "thinking"),
  flag("resume", "resumes in a new process"),
  flag("fork", "forks a session"),
  flag("history", "takes earlier messages"),
  flag("steer", "a prompt into a running turn"),
  flag("cancelKeepsProcess", "stays warm after a cancel"),
  ...modes.map((mode) => ({
    id: `modes.${mode}`,
    label: `mode ${mode}`,
    of: (can: Capabilities) => can.modes.includes(mode),
  })),
  flag("keepsEdits", "has an edits mode of its own"),
  flag("changeModel", "changes its model"),
  flag("changeMode", "changes its mode"),
  flag("images", "images"),
  flag("files", "files"),
  ...(["append", "replace"] as const).map((how) => ({
    id: `systemPrompt.${how}`,
    label: how === "append" ? "adds to the system prompt" : "replaces the system prompt",
    of: (can: Capabilities) => can.systemPrompt.includes(how),
  })),
  flag("toolFilter", "tools by name"),
  flag("firstPromptTools", "other tools for the first prompt"),
  flag("mcpServers", "MCP servers"),
  flag("directories", "further folders"),
  flag("maxTurns", "a limit on rounds"),
  flag("budget", "a limit on cost"),
  flag("questions", "asks questions"),
  flag("planApproval", "asks for approval of a plan"),
  flag("subagents", "subagents"),
  flag("backgroundTasks", "background tasks"),
  flag("changedInput", "an answer may change the input"),
  flag("allowAlways", "an answer may apply to later calls"),
  word("afterDeny", "after a denial the turn"),
  ...kinds.map((kind) => ({ id: `hold.${kind}`, label: `holds: ${kind}`, of: (can: Capabilities) => can.hold[kind] })),
  word("toolsReported", "tools it reports"),
  flag("exitCodes", "reports that a command failed"),
  flag("knowsModels", "refuses unknown models at once"),
  ...(["cut", "empty"] as const).map((answer) => ({
    id: `asksAgain.${answer}`,
    label: answer === "cut" ? "asks again after a cut answer" : "asks again after an empty answer",
    of: (can: Capabilities) => can.asksAgain.includes(answer),
  })),
  flag("givesUp", "gives up on a failing service"),
  word("usage", "usage figures for a"),
  flag("cost", "cost"),
  flag("limits", "limits of the plan"),
];
