import type { Mode } from "./modes.ts";
import { kinds } from "./tools.ts";
import type { ToolKind } from "./tools.ts";

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

/** What an agent can do. Declared in its folder, proven by the contract suite; a caller may ask, and never needs to. */
export interface Capabilities {
  /** Text arrives piece by piece. */
  readonly deltas: boolean;
  readonly thinking: boolean;
  /** A session goes on in a new process from its state. */
  readonly resume: boolean;
  readonly fork: boolean;
  /** Earlier messages can be handed over as history, instead of a state. */
  readonly history: boolean;
  /** A prompt can go into the running turn. */
  readonly steer: boolean;
  /** A cancelled turn leaves the process usable. */
  readonly cancelKeepsProcess: boolean;
  readonly modes: readonly Mode[];
  /** In mode `edits` it lets ordinary edits pass by itself: an edit that it still asks about is one that a person must see. */
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
   * Who decides about a call that waits. `agent` (the default): its own rules, within what the mode and the policy allow. `reins`: it has
   * none, so Reins decides completely and asks the user itself. Not an ability, so no row of the table.
   */
  readonly judge?: "agent" | "reins" | undefined;
  /** How each kind of tool can be held. */
  readonly hold: Readonly<Record<ToolKind, Hold>>;
  /** Which tool calls the agent reports. */
  readonly toolsReported: "all" | "some" | "none";
  /** A call may be told before the words that led to it. No ability, so no row of the table: what nobody can rely on. */
  readonly overtakes?: boolean | undefined;
  /** It tells that a command failed. */
  readonly exitCodes: boolean;
  /** A model's name that means nothing to it is refused when it is named, not first when it is asked. */
  readonly knowsModels: boolean;
  /** After which broken answers it asks its model once more by itself: one that was cut off, one with nothing in it. */
  readonly asksAgain: readonly BrokenAnswer[];
  /** When the model's service keeps failing it ends the turn by itself, and does not go on trying until it is cancelled. */
  readonly givesUp: boolean;
  /** Which usage figures the agent gives. */
  readonly usage: "turn" | "session" | "none";
  readonly cost: boolean;
  readonly limits: boolean;
  /**
   * It works elsewhere, on a repository and not in the folder, and goes on there when the session is closed. No row of the table either:
   * it is what the agent is.
   */
  readonly elsewhere?: boolean | undefined;
  /**
   * The hooks of the agent's own that Reins puts there: which are known to fire, which are known to be silent, and of which nobody knows it.
   * Declared by what was published and proven by nothing of ours, so no row of the table; whoever relies on one looks here first.
   */
  readonly hooks?: Readonly<Record<"fires" | "silent" | "unknown", readonly string[]>> | undefined;
}

type Ability = {
  [Name in keyof Capabilities]-?: boolean extends Capabilities[Name] ? Name : never;
}[keyof Capabilities];

/** These it can do. */
export function can<Name extends Ability>(...abilities: readonly Name[]): Record<Name, true> {
  return Object.fromEntries(abilities.map((ability) => [ability, true])) as Record<Name, true>;
}

/** Every kind of tool is held alike. */
export function holdAll(hold: Hold): Record<ToolKind, Hold> {
  return Object.fromEntries(kinds.map((kind) => [kind, hold])) as Record<ToolKind, Hold>;
}

/** Each call of every kind is reported and waits for Reins; the agent is told of one that is denied, and goes on. */
export const holdsEveryTool = { afterDeny: "continues", hold: holdAll("every"), toolsReported: "all" } as const;

/** Everything off: where to begin, and all that is known of an agent that cannot be loaded. */
export const noCapabilities: Capabilities = {
  deltas: false,
  thinking: false,
  resume: false,
  fork: false,
  history: false,
  steer: false,
  cancelKeepsProcess: false,
  modes: [],
  changeModel: false,
  changeMode: false,
  images: false,
  files: false,
  systemPrompt: [],
  toolFilter: false,
  firstPromptTools: false,
  mcpServers: false,
  directories: false,
  maxTurns: false,
  budget: false,
  questions: false,
  planApproval: false,
  subagents: false,
  backgroundTasks: false,
  changedInput: false,
  allowAlways: false,
  afterDeny: "ends",
  hold: holdAll("none"),
  toolsReported: "none",
  exitCodes: false,
  knowsModels: false,
  asksAgain: [],
  givesUp: false,
  usage: "none",
  cost: false,
  limits: false,
};
