/** The words of the contract suite: what a scenario is, where it runs, and what comes of it. */
import type { Reins, ReinsOptions } from "../../core/api.ts";
import type { BrokenAnswer, Capabilities } from "../../events/capabilities.ts";
import type { Mode } from "../../events/modes.ts";
import type { ToolKind } from "../../events/tools.ts";
import type { ScriptedModel } from "../server.ts";
import type { Stage } from "./stage.ts";
import type { Tap } from "./tap.ts";

/** A row of the matrix: a capability, one of its values, or `always` for what every agent must do. */
export type CapabilityRow =
  | Exclude<keyof Capabilities, "modes" | "systemPrompt" | "hold" | "asksAgain">
  | `modes.${Mode}`
  | `systemPrompt.${"append" | "replace"}`
  | `hold.${ToolKind}`
  | `asksAgain.${BrokenAnswer}`
  | "always";

/** What the scripted model plays: a standard scenario and its argument. */
export interface Play {
  readonly name: string;
  readonly arg?: string | undefined;
}

export const play = (name: string, arg?: string): Play => ({ name, arg });

export interface ContractScenario {
  readonly id: string;
  /** What it shows, as the end of "the agent ...". */
  readonly title: string;
  readonly proves: readonly CapabilityRow[];
  /** Whether the agent declares it. Default: it is not a matter of declaring. */
  readonly declared?: ((can: Capabilities) => boolean) | undefined;
  /** Run it also where it is not declared: then its absence must be said or refused. */
  readonly evenSo?: boolean | undefined;
  /** What the place must be like. */
  readonly place?: PlaceWish | undefined;
  /** Nothing is recorded of it, and why. */
  readonly notRecorded?: string | undefined;
  /** Checks what the table cannot say; throws one sentence. */
  readonly run: (stage: Stage) => Promise<void>;
}

/** What a scenario proves. `declared` is a row that the agent may declare; `if` is a further condition. */
type ScenarioAbout = Pick<ContractScenario, "evenSo" | "place" | "notRecorded"> & {
  readonly if?: (can: Capabilities) => boolean;
} & ({ readonly declared: CapabilityRow } | { readonly proves: CapabilityRow });

/** A scenario. `about` may be the row alone: every agent runs it then, whatever it declares. */
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

/** Runs only where the agent declares the row. */
export const declared: Short = (row, id, title, run) => scenario(id, title, { declared: row }, run);

/** Runs everywhere: where the row is not declared, its absence must be said or refused. */
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
  /** Signed in with an account that has a plan. */
  readonly plan?: boolean | undefined;
  /** The program goes on when its stdin is closed. */
  readonly deaf?: boolean | undefined;
}

/** Where one scenario runs: a folder, a home, and an agent that is ready. */
export interface Place {
  readonly agent: string;
  readonly capabilities: Capabilities;
  /** Files, processes and the model can be looked at; not so in a replay. */
  readonly live: boolean;
  /** Its model is a live one, which is told in words what to do: what it says beside that, and how often it looks, is its own. */
  readonly spoken?: boolean | undefined;
  /** Each turn has a process of its own. */
  readonly processATurn?: boolean | undefined;
  readonly cwd: string;
  /** What changes in it unreported is found. */
  readonly isRepository: boolean;
  readonly home?: string | undefined;
  readonly tap: Tap;
  readonly model?: ScriptedModel | undefined;
  readonly models?: readonly [string, string] | undefined;
  readonly compactPrompt?: string | undefined;
  readonly deadlineMs: number;
  /** A further Reins, which the place closes. */
  reins(options?: ReinsOptions): Reins;
  /** Makes the home empty: whatever was kept there is forgotten. Not there where a state is the whole memory. */
  forget?(): void;
  /** In the agent's own language. Throws NotProvable where it cannot be said. */
  prompt(play: Play): string;
  release(gate: string): void;
  /** Makes the next prompt fail in this way, where it is not the model that does. Returns how to end that. */
  fail?(cause: string): Promise<() => Promise<void>>;
  /** In a replay: everything that was recorded up to the next thing a person did has been said. */
  caughtUp?(): Promise<void>;
  /** Closes every Reins; names what is still running after that. */
  end(): Promise<readonly string[]>;
  /** Clears the place away; `proven` says whether the scenario was. */
  clear(proven: boolean): Promise<void>;
}

export interface Launched {
  readonly pid: number;
  readonly isGone: boolean;
  /** The end of what it said on stderr. */
  readonly stderrTail: string;
}

export type ContractState = "proven" | "failed" | "not_provable" | "not_declared";

export interface ContractResult {
  readonly scenario: string;
  readonly title: string;
  /** The rows of the matrix it is about. */
  readonly capabilities: readonly CapabilityRow[];
  /** Whether the agent declares it; true too where it is not a matter of declaring. */
  readonly declared: boolean;
  readonly state: ContractState;
  readonly sentence?: string | undefined;
  readonly ms: number;
}
