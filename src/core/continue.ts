/** When the agent is prompted again by itself, and with what: rules on how a turn ended, what it said, or what came of the after-steps. */
import type { Outcome } from "../events/types.ts";

/** However a turn ended that a person ended, a model refused or a budget stopped: nobody goes on by itself from there. */
export const continuable = [
  "done",
  "max_tokens",
  "max_turns",
  "failed",
  "interrupted",
] as const satisfies readonly Outcome[];

/** For one prompt, whatever the rules say. */
export const mostTimes = 5;

export interface ContinueRule {
  /** The turn ended like this. Default: `done`. */
  readonly outcome?: (typeof continuable)[number] | undefined;
  /** The last message has these words in it, in whatever case. */
  readonly text?: string | undefined;
  /** An after-step failed, or all of them passed. */
  readonly after?: "failed" | "passed" | undefined;
  /** What the agent is told next. */
  readonly prompt?: string | undefined;
  /** At most this often for one prompt; never more than five times. */
  readonly times?: number | undefined;
}

/** A turn as the rules see it. */
export interface Ended {
  readonly outcome: Outcome;
  readonly text: string;
  /** What came of the after-steps; undefined where none ran. */
  readonly after?: { readonly passed: boolean; readonly report: string } | undefined;
}

/** What to say next, and by which rule; undefined where the agent rests. */
export interface Next {
  readonly rule: ContinueRule;
  readonly prompt: string;
}

/** Counts for one prompt of a person. */
export class Continuing {
  readonly #rules: readonly ContinueRule[];
  readonly #used = new Map<ContinueRule, number>();
  /** Apart: what an after-step found, and everything else. */
  readonly #spent = { after: 0, other: 0 };

  constructor(rules: readonly ContinueRule[]) {
    this.#rules = rules;
  }

  /** The first rule that is met counts. `limited`: it would have been, and was met too often. */
  next(ended: Ended): Next | "limited" | undefined {
    const rule = this.#rules.find((one) => isMet(one, ended));
    if (rule === undefined) return undefined;
    const used = this.#used.get(rule) ?? 0;
    const kind = rule.after === undefined ? "other" : "after";
    if (used >= (rule.times ?? mostTimes) || this.#spent[kind] >= mostTimes) return "limited";
    this.#used.set(rule, used + 1);
    this.#spent[kind]++;
    return { rule, prompt: promptOf(rule, ended) };
  }
}

function isMet({ outcome = "done", text, after }: ContinueRule, ended: Ended): boolean {
  if (ended.outcome !== outcome) return false;
  if (text !== undefined && !ended.text.toLowerCase().includes(text.toLowerCase())) return false;
  if (after === undefined) return true;
  return ended.after !== undefined && ended.after.passed === (after === "passed");
}

function promptOf({ prompt, after }: ContinueRule, ended: Ended): string {
  if (after !== "failed" || ended.after === undefined) return prompt ?? "Go on.";
  return `${prompt ?? "This was run after your work, and it failed. Correct what is wrong."}\n\n${ended.after.report}`;
}
