/** The names of modes: an agent's own word where it declares one, else the word of Reins. */
import type { Capabilities } from "../events/capabilities.ts";
import { modes, type Mode } from "../events/modes.ts";

type Declared = Pick<Capabilities, "modes" | "modeNames"> | undefined;

/** The agent's own word for a mode. */
export function ownModeName(mode: Mode, declared: Pick<Capabilities, "modeNames"> | undefined): string | undefined {
  return declared?.modeNames?.[mode];
}

export function modeName(mode: Mode, declared: Pick<Capabilities, "modeNames"> | undefined): string {
  return ownModeName(mode, declared) ?? mode;
}

/** What each mode lets an agent do. */
export const modeMeanings: Readonly<Record<Mode, string>> = {
  read: "looks only",
  plan: "looks, and proposes a plan for approval",
  ask: "asks before it changes or runs anything",
  edits: "changes files without asking, asks for the rest",
  full: "asks nothing",
};

/** The mode that a person means: the agent's own words first, because those are shown. */
export function modeNamed(typed: string, declared: Declared): Mode | undefined {
  const word = typed.trim().toLowerCase();
  const offered = declared?.modes ?? modes;
  return (
    offered.find((mode) => ownModeName(mode, declared)?.toLowerCase() === word) ?? modes.find((mode) => mode === word)
  );
}

/** The mode that Shift+Tab switches to: the next one of the agent's own words, else of all but `full`, which is chosen by name. */
export function modeAfter(mode: Mode, declared: Declared): Mode | undefined {
  const offered = declared?.modes ?? modes;
  const named = Object.keys(declared?.modeNames ?? {}).filter((name): name is Mode => offered.includes(name as Mode));
  const cycle = named.length > 0 ? named : offered.filter((one) => one !== "full");
  const next = cycle[(cycle.indexOf(mode) + 1) % cycle.length];
  return next === mode ? undefined : next;
}
