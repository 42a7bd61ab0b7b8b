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

/** A broken answer of the model: cut off in the middle, or empty. */
export type BrokenAnswer = "cut" | "empty";

/**
 * Everything that an agent declares it can do. The contract suite proves the declarations. A caller checks these
 * instead of the agent's id.
 */
export interface Capabilities {
  /** Text arrives in pieces while the model writes it. */
  readonly deltas: boolean;
  /** Thinking is reported (`thought.delta`, `thought.completed`). */
  readonly thinking: boolean;
  /** A new process can continue a session from its state. */
  readonly resume: boolean;
  /** A conversation can continue as a second, separate one. */
  readonly fork: boolean;
  /** Accepts earlier messages as history when there is no state. */
  readonly history: boolean;
  /** A prompt can be added to the running turn. */
  readonly steer: boolean;
  /** The process stays usable after a turn was cancelled. */
  readonly cancelKeepsProcess: boolean;
  /** The modes that the agent supports. */
  readonly modes: readonly Mode[];
  /**
   * The agent's own mode names, such as `{ read: "Ask" }`, in the order in which a person switches through them. Not
   * in the capability table.
   */
  readonly modeNames?: Readonly<Partial<Record<Mode, string>>> | undefined;
  /** In mode `edits` the agent allows ordinary edits itself, so every edit that it still asks about needs a person. */
  readonly keepsEdits?: boolean;
  /** The model can change during a session. */
  readonly changeModel: boolean;
  /** The mode can change during a session. */
  readonly changeMode: boolean;
  /** Accepts images as attachments. */
  readonly images: boolean;
  /** Accepts files as attachments. */
  readonly files: boolean;
  /** A system prompt can be appended to the agent's own, or replace it. */
  readonly systemPrompt: readonly ("append" | "replace")[];
  /** Tools can be allowed and disallowed by name. */
  readonly toolFilter: boolean;
  /** The tool filter can differ for the first prompt. */
  readonly firstPromptTools: boolean;
  /** Uses the MCP servers of the option `mcpServers`. */
  readonly mcpServers: boolean;
  /** Can work in further folders besides the workspace. */
  readonly directories: boolean;
  /** Can limit the number of model rounds in a turn. */
  readonly maxTurns: boolean;
  /** Can limit the cost itself. */
  readonly budget: boolean;
  /** Asks the user questions (`question.requested`). */
  readonly questions: boolean;
  /** Asks for approval of a plan. */
  readonly planApproval: boolean;
  /** Runs subagents. */
  readonly subagents: boolean;
  /** Runs tasks in the background after a turn. */
  readonly backgroundTasks: boolean;
  /** An answer to a permission may change the tool's input. */
  readonly changedInput: boolean;
  /** An answer to a permission may also apply to later calls. */
  readonly allowAlways: boolean;
  /** For which denials the agent is told the person's words. Default: all of them. `none`: its protocol carries no words. Not an ability, so not in the table. */
  readonly denialMessage?: "plans" | "none" | undefined;
  /** After a denied call the agent is told and continues, or the turn ends. */
  readonly afterDeny: "continues" | "ends";
  /**
   * Decides about held calls. `agent` (default): the agent's own rules, within the mode and the policy. `reins`:
   * the agent has no rules, so Reins decides and asks the user. Not in the capability table, because it is not an
   * ability.
   */
  readonly judge?: "agent" | "reins" | undefined;
  /** How each kind of tool can be held. */
  readonly hold: Readonly<Record<ToolKind, Hold>>;
  /** Which tool calls the agent reports. */
  readonly toolsReported: "all" | "some" | "none";
  /** A tool call may be reported before the text that led to it. Not in the capability table, because it is not an ability. */
  readonly overtakes?: boolean | undefined;
  /** The agent reports that a command failed. */
  readonly exitCodes: boolean;
  /** An unknown model is refused when it is selected, not only at the next prompt. */
  readonly knowsModels: boolean;
  /** Broken answers after which the agent repeats its request to the model. */
  readonly asksAgain: readonly BrokenAnswer[];
  /** The agent ends the turn itself when the model's service keeps failing. */
  readonly givesUp: boolean;
  /** The scope of the usage figures that the agent reports. */
  readonly usage: "turn" | "session" | "none";
  /** Reports the cost. */
  readonly cost: boolean;
  /** Reports the limits of the subscription (`limit.updated`). */
  readonly limits: boolean;
  /**
   * The agent runs remotely, on a repository instead of the folder, and continues after the session is closed. Not in
   * the capability table.
   */
  readonly elsewhere?: boolean | undefined;
  /**
   * Hooks that Reins installs in the agent: known to fire, known to be silent, or unknown. Taken from the agent's
   * documentation and not proven, so not in the capability table.
   */
  readonly hooks?: Readonly<Record<"fires" | "silent" | "unknown", readonly string[]>> | undefined;
}

type Ability = {
  [Name in keyof Capabilities]-?: boolean extends Capabilities[Name] ? Name : never;
}[keyof Capabilities];

function flags<Name extends Ability, Value extends boolean>(names: readonly Name[], value: Value): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, value])) as Record<Name, Value>;
}

/** Sets capabilities to true in a declaration: `...can("deltas", "resume")`. */
export function can<Name extends Ability>(...names: readonly Name[]): Record<Name, true> {
  return flags(names, true);
}

/** The same `hold` for every kind of tool. */
export function holdAll(hold: Hold): Record<ToolKind, Hold> {
  return Object.fromEntries(kinds.map((kind) => [kind, hold])) as Record<ToolKind, Hold>;
}

/** Every call is reported and waits for Reins; after a denial the agent is told and continues. */
export const holdsEveryTool = { afterDeny: "continues", hold: holdAll("every"), toolsReported: "all" } as const;

/** Every capability off: the base of every declaration, and the capabilities of an agent that cannot be loaded. */
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
