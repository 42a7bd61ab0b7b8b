import type { Mode } from "./modes.ts";
import { kinds, type ToolKind } from "./tools.ts";

/**
 * How the tools of one kind can be held before they run.
 * - `every`: each call waits for Reins
 * - `unsafe_only`: the calls the agent itself thinks unsafe wait for Reins
 * - `launch_flags`: allowed or not once, when the agent starts
 * - `sandbox`: they run, inside a sandbox of the agent's
 * - `none`: they cannot be held
 */
export type Hold = "every" | "unsafe_only" | "launch_flags" | "sandbox" | "none";

export type BrokenAnswer = "cut" | "empty";

/** What an agent can do. Declared in its folder and proven by the contract suite. */
export interface Capabilities {
  /** Text arrives piece by piece. */
  readonly deltas: boolean;
  readonly thinking: boolean;
  /** A session goes on in a new process from its state. */
  readonly resume: boolean;
  readonly fork: boolean;
  /** Accepts earlier messages as history, instead of a state. */
  readonly history: boolean;
  /** A prompt can go into the running turn. */
  readonly steer: boolean;
  /** A cancelled turn leaves the process usable. */
  readonly cancelKeepsProcess: boolean;
  readonly modes: readonly Mode[];
  /** The agent's own words for its modes, such as `{ read: "Ask" }`, in the order in which a person switches through them. Not in the table. */
  readonly modeNames?: Readonly<Partial<Record<Mode, string>>> | undefined;
  /** In mode `edits` the agent allows ordinary edits itself, so an edit that it asks about needs a person. */
  readonly keepsEdits?: boolean;
  readonly changeModel: boolean;
  readonly changeMode: boolean;
  readonly images: boolean;
  readonly files: boolean;
  readonly systemPrompt: readonly ("append" | "replace")[];
  /** Tools can be allowed and disallowed by name. */
  readonly toolFilter: boolean;
  /** ... and differently for the first prompt. */
  readonly firstPromptTools: boolean;
  readonly mcpServers: boolean;
  readonly directories: boolean;
  readonly maxTurns: boolean;
  readonly budget: boolean;
  readonly questions: boolean;
  readonly planApproval: boolean;
  readonly subagents: boolean;
  readonly backgroundTasks: boolean;
  /** An answer to a permission may change the tool's input. */
  readonly changedInput: boolean;
  /** An answer to a permission may hold for later calls too. */
  readonly allowAlways: boolean;
  /** What a denied tool does to the turn: the agent is told and goes on, or the turn ends. */
  readonly afterDeny: "continues" | "ends";
  /**
   * Who decides about a call that waits. `agent` (default): its own rules, within what the mode and the policy allow. `reins`: the agent has no
   * rules, so Reins decides and asks the user itself. Not an ability, so not in the table.
   */
  readonly judge?: "agent" | "reins" | undefined;
  /** How each kind of tool can be held. */
  readonly hold: Readonly<Record<ToolKind, Hold>>;
  /** Which tool calls the agent reports. */
  readonly toolsReported: "all" | "some" | "none";
  /** A call may be reported before the text that led to it. Not an ability, so not in the table. */
  readonly overtakes?: boolean | undefined;
  /** The agent reports that a command failed. */
  readonly exitCodes: boolean;
  /** An unknown model is refused when it is chosen, not only at the next prompt. */
  readonly knowsModels: boolean;
  /** Broken answers after which the agent asks its model again: one that was cut off, an empty one. */
  readonly asksAgain: readonly BrokenAnswer[];
  /** The agent ends the turn by itself when the model's service keeps failing. */
  readonly givesUp: boolean;
  /** Which usage figures the agent gives. */
  readonly usage: "turn" | "session" | "none";
  readonly cost: boolean;
  readonly limits: boolean;
  /** The agent runs remotely, on a repository and not in the folder, and continues when the session is closed. Not in the table. */
  readonly elsewhere?: boolean | undefined;
  /** Hooks that Reins installs in the agent: known to fire, known to be silent, or unknown. Taken from its documents, not proven, so not in the table. */
  readonly hooks?: Readonly<Record<"fires" | "silent" | "unknown", readonly string[]>> | undefined;
}

type Ability = {
  [Name in keyof Capabilities]-?: boolean extends Capabilities[Name] ? Name : never;
}[keyof Capabilities];

function flags<Name extends Ability, Value extends boolean>(names: readonly Name[], value: Value): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, value])) as Record<Name, Value>;
}

/** Capabilities that an agent has: `...can("deltas", "resume")`. */
export function can<Name extends Ability>(...names: readonly Name[]): Record<Name, true> {
  return flags(names, true);
}

/** The same `hold` for every kind of tool. */
export function holdAll(hold: Hold): Record<ToolKind, Hold> {
  return Object.fromEntries(kinds.map((kind) => [kind, hold])) as Record<ToolKind, Hold>;
}

/** Every call is reported and waits for Reins; after a denial the agent is told and continues. */
export const holdsEveryTool = { afterDeny: "continues", hold: holdAll("every"), toolsReported: "all" } as const;

/** Everything off: the start of every declaration, and the capabilities of an agent that cannot be loaded. */
export const noCapabilities: Capabilities = {
  ...flags(
    [
      "deltas",
      "thinking",
      "resume",
      "fork",
      "history",
      "steer",
      "cancelKeepsProcess",
      "changeModel",
      "changeMode",
      "images",
      "files",
      "toolFilter",
      "firstPromptTools",
      "mcpServers",
      "directories",
      "maxTurns",
      "budget",
      "questions",
      "planApproval",
      "subagents",
      "backgroundTasks",
      "changedInput",
      "allowAlways",
      "exitCodes",
      "knowsModels",
      "givesUp",
      "cost",
      "limits",
    ],
    false,
  ),
  modes: [],
  systemPrompt: [],
  afterDeny: "ends",
  hold: holdAll("none"),
  toolsReported: "none",
  asksAgain: [],
  usage: "none",
};
