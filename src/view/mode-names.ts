/** Names of modes: the agent's own word where it declares one, else the word of Reins. */
import type { Capabilities } from "../events/capabilities.ts";
import { modes, type Mode } from "../events/modes.ts";

type Declared = Pick<Capabilities, "modes" | "modeNames"> | undefined;

export function ownModeName(mode: Mode, declared: Pick<Capabilities, "modeNames"> | undefined): string | undefined {
  return declared?.modeNames?.[mode];
}

export function modeName(mode: Mode, declared: Pick<Capabilities, "modeNames"> | undefined): string {
  return ownModeName(mode, declared) ?? mode;
}

export const modeMeanings: Readonly<Record<Mode, string>> = {
  read: "only reads",
  plan: "reads, and proposes a plan for approval",
  ask: "asks before it changes or runs anything",
  edits: "changes files without asking, asks for the rest",
  full: "never asks",
};

/** The mode that a person typed. The agent's own words are tried first, because the screen shows those. */
export function modeNamed(typed: string, declared: Declared): Mode | undefined {
  const word = typed.trim().toLowerCase();
  const offered = declared?.modes ?? modes;
  return (
    offered.find((mode) => ownModeName(mode, declared)?.toLowerCase() === word) ?? modes.find((mode) => mode === word)
  );
}

/** The mode that Shift+Tab switches to: the next of the agent's own modes, else of all but `full`, which must be chosen by name. */
export function modeAfter(mode: Mode, declared: Declared): Mode | undefined {
  const offered = declared?.modes ?? modes;
  const named = Object.keys(declared?.modeNames ?? {}).filter((name): name is Mode => offered.includes(name as Mode));
  const cycle = named.length > 0 ? named : offered.filter((one) => one !== "full");
  const next = cycle[(cycle.indexOf(mode) + 1) % cycle.length];
  return next === mode ? undefined : next;
}
