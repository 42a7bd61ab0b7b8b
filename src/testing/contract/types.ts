/** Types of the contract suite: a scenario, the place it runs in, and its result. */
import type { Reins, ReinsOptions } from "../../core/api.ts";
import type { BrokenAnswer, Capabilities } from "../../events/capabilities.ts";
import type { Mode } from "../../events/modes.ts";
import type { ToolKind } from "../../events/tools.ts";
import type { ScriptedModel } from "../server.ts";
import type { Stage } from "./stage.ts";
import type { Tap } from "./tap.ts";

/** A row of the capability matrix: a capability, one of its values (`modes.ask`), or `always` for what every agent must do. */
export type CapabilityRow =
  | Exclude<keyof Capabilities, "modes" | "systemPrompt" | "hold" | "asksAgain">
  | `modes.${Mode}`
  | `systemPrompt.${"append" | "replace"}`
  | `hold.${ToolKind}`
  | `asksAgain.${BrokenAnswer}`
  | "always";

/** A play of the scripted model: a standard scenario and its argument. */
export interface Play {
  readonly name: string;
  readonly arg?: string | undefined;
}

export const play = (name: string, arg?: string): Play => ({ name, arg });

/** A scenario of the contract: an interaction with an agent and the checks of its outcome. */
export interface ContractScenario {
  readonly id: string;
  /** The behaviour, as the end of the sentence "the agent ...". */
  readonly title: string;
  /** The capabilities that this scenario proves. */
  readonly proves: readonly CapabilityRow[];
  /** Returns true if the agent declares the capability. Default: always true, because the scenario holds for every agent. */
  readonly declared?: ((can: Capabilities) => boolean) | undefined;
  /** Also run if the capability is not declared. Then a notice or an error must report its absence. */
  readonly evenSo?: boolean | undefined;
  /** Requirements for the place. */
  readonly place?: PlaceWish | undefined;
  /** Why there is no recording of this scenario. */
  readonly notRecorded?: string | undefined;
  /** Performs the scenario. Checks what the table of expected events cannot express, and throws one sentence. */
  readonly run: (stage: Stage) => Promise<void>;
}

/** The capability that a scenario proves. `declared` is a row that the agent may declare; `if` is a further condition. */
type ScenarioAbout = Pick<ContractScenario, "evenSo" | "place" | "notRecorded"> & {
  readonly if?: (can: Capabilities) => boolean;
} & ({ readonly declared: CapabilityRow } | { readonly proves: CapabilityRow });

/** Defines a scenario. If `about` is only a row, every agent runs the scenario, whatever it declares. */
export function scenario(
  id: string,
  title: string,
  about: CapabilityRow | ScenarioAbout,
  run: ContractScenario["run"],
): ContractScenario {
  if (typeof about === "string") return { id, title, proves: [about], run };
  const { if: condition = () => true, ...rest } = about;
  if ("proves" in rest) return { id, title, ...rest, proves: [rest.proves], declared: condition, run };
  const row = rest.declared;
  return { id, title, ...rest, proves: [row], declared: (can) => isDeclared(row, can) && condition(can), run };
}

type Short = (row: CapabilityRow, id: string, title: string, run: ContractScenario["run"]) => ContractScenario;

/** Defines a scenario that runs only if the agent declares the row. */
export const declared: Short = (row, id, title, run) => scenario(id, title, { declared: row }, run);

/** Defines a scenario that always runs: if the row is not declared, its absence must be reported or refused. */
export const orSaid: Short = (row, id, title, run) => scenario(id, title, { declared: row, evenSo: true }, run);

export function isDeclared(row: CapabilityRow, can: Capabilities): boolean {
  if (row === "always") return true;
  const [name = "", value] = row.split(".");
  const found: unknown = can[name as keyof Capabilities];
  if (value !== undefined && Array.isArray(found)) return found.includes(value);
  const declared: unknown = value === undefined ? found : (Object(found) as Record<string, unknown>)[value];
  return declared !== undefined && declared !== false && declared !== "none";
}

export interface PlaceWish {
  /** The agent is signed in with an account that has a plan. */
  readonly plan?: boolean | undefined;
  /** The program keeps running when its stdin is closed. */
  readonly deaf?: boolean | undefined;
}

/** The place in which one scenario runs: a folder, a home, and an agent that is ready. */
export interface Place {
  readonly agent: string;
  readonly capabilities: Capabilities;
  /** Files, processes and the model can be inspected. False in a replay. */
  readonly live: boolean;
  /** The model is a live one, prompted in plain words. Its additional text and reads are not compared. */
  readonly spoken?: boolean | undefined;
  /** The agent starts a process for each turn. */
  readonly processATurn?: boolean | undefined;
  readonly cwd: string;
  /** The folder is a git repository, so that changes which the agent does not report are found. */
  readonly isRepository: boolean;
  /** The home folder of the agent; undefined if it has none. */
  readonly home?: string | undefined;
  /** Observes the programs that the agent starts. */
  readonly tap: Tap;
  /** The scripted model; undefined in a replay. */
  readonly model?: ScriptedModel | undefined;
  /** Two models between which the agent can switch. */
  readonly models?: readonly [string, string] | undefined;
  /** The prompt that makes the agent compact its context. */
  readonly compactPrompt?: string | undefined;
  readonly deadlineMs: number;
  /** Creates a further Reins instance, which the place closes. */
  reins(options?: ReinsOptions): Reins;
  /** Empties the home, so that the agent forgets everything kept there. Undefined if the state is the agent's only memory. */
  forget?(): void;
  /** Translates a play to a prompt for this agent. Throws NotProvable if that is impossible. */
  prompt(play: Play): string;
  /** Lets the scripted model continue at a gate. */
  release(gate: string): void;
  /**
   * Makes the next prompt fail this way, for agents whose failures do not come from the model. Returns a function that ends the failure.
   */
  fail?(cause: string): Promise<() => Promise<void>>;
  /** In a replay: resolves when everything recorded up to the next input has been played. */
  caughtUp?(): Promise<void>;
  /** Closes every Reins instance and lists processes that still run after that. */
  end(): Promise<readonly string[]>;
  /** Removes the place. `proven`: whether the scenario was proven. */
  clear(proven: boolean): Promise<void>;
}

export interface Launched {
  readonly pid: number;
  readonly isGone: boolean;
  /** The end of its stderr. */
  readonly stderrTail: string;
}

/**
 * The outcome of a scenario. `not_provable`: it cannot be run with this agent. `not_declared`: the agent does not declare the capability.
 */
export type ContractState = "proven" | "failed" | "not_provable" | "not_declared";

/** The result of one scenario. */
export interface ContractResult {
  readonly scenario: string;
  readonly title: string;
  /** The rows of the capability matrix that the scenario is about. */
  readonly capabilities: readonly CapabilityRow[];
  /** True if the agent declares the capability; also true if the scenario holds for every agent. */
  readonly declared: boolean;
  readonly state: ContractState;
  /** Why the scenario failed or is not provable. */
  readonly sentence?: string | undefined;
  readonly ms: number;
}
