import { modes } from "../../events/modes.ts";
import type { Mode } from "../../events/modes.ts";

/** What each mode lets an agent do, for people who choose one. */
const words: Readonly<Record<Mode, { readonly label: string; readonly detail: string }>> = {
  read: { label: "Read only", detail: "Looks, and changes nothing." },
  plan: { label: "Plan", detail: "Looks, and proposes a plan for you to approve." },
  ask: { label: "Ask first", detail: "Asks before it changes or runs anything." },
  edits: { label: "Accept edits", detail: "Edits files without asking, asks for the rest." },
  full: { label: "Full access", detail: "Asks nothing. For folders you can afford to lose." },
};

export function modeLabel(mode: Mode): string {
  return words[mode].label;
}

export interface ModeChoice {
  readonly value: Mode;
  readonly label: string;
  readonly detail: string;
  readonly disabled: boolean;
}

/** All of them, so that nobody wonders where one went; those that cannot be chosen say why. */
export function modeChoices(offered: readonly Mode[] | undefined, mayApprove: boolean): readonly ModeChoice[] {
  return modes.map((mode) => {
    const { label, detail } = words[mode];
    const missing = offered !== undefined && !offered.includes(mode);
    const forbidden = !mayApprove && (mode === "edits" || mode === "full");
    const why = missing ? "This agent does not have it." : forbidden ? "This page's token may not choose it." : detail;
    return { value: mode, label, detail: why, disabled: missing || forbidden };
  });
}
