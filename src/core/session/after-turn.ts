/** Everything that follows a turn automatically: after-steps, and prompts by `continue` rules. */
import type { Outcome } from "../../events/types.ts";
import { runAfter, stepsOf, type AfterContext, type AfterResult, type AfterSteps } from "./after-steps.ts";

export interface AfterTurnOptions extends AfterContext {
  readonly after: AfterSteps | undefined;
  readonly rules: readonly ContinueRule[] | undefined;
  readonly warn: (message: string) => void;
}

export class AfterTurn {
  readonly #o: AfterTurnOptions;
  readonly #steps: ReturnType<typeof stepsOf>;
  #continuing: Continuing;

  /** Throws when an after-step is not a valid command. */
  constructor(options: AfterTurnOptions) {
    this.#o = options;
    this.#steps = stepsOf(options.after);
    this.#continuing = new Continuing(options.rules ?? []);
  }

  get any(): boolean {
    return this.#steps.length > 0 || (this.#o.rules?.length ?? 0) > 0;
  }

  /** A user prompted: start counting again. */
  begin(): void {
    this.#continuing = new Continuing(this.#o.rules ?? []);
  }

  /** Called while the turn is about to end but still open. Returns the next prompt for the agent, if any. */
  async of(turn: Pick<Ended, "outcome" | "text">, signal: AbortSignal): Promise<string | undefined> {
    const after = turn.outcome === "done" ? await this.#run(signal) : undefined;
    if (signal.aborted || after?.denied === true) return undefined;
    if (!(continuable as readonly string[]).includes(turn.outcome)) return undefined;
    const next = this.#continuing.next({ ...turn, after });
    if (next !== "limited") return next?.prompt;
    this.#o.warn("The agent was not prompted again: the limit of automatic prompts is reached.");
    return undefined;
  }

  async #run(signal: AbortSignal): Promise<AfterResult | undefined> {
    return this.#steps.length === 0 ? undefined : runAfter(this.#steps, this.#o, signal);
  }
}

/** Outcomes that a rule may continue from. Not included: a turn that a person cancelled, a model refused or a budget stopped. */
export const continuable = [
  "done",
  "max_tokens",
  "max_turns",
  "failed",
  "interrupted",
] as const satisfies readonly Outcome[];

/** Maximum number of continuations of one prompt, whatever the rules say. */
export const mostTimes = 5;

/** When to prompt the agent again automatically. All conditions must hold: `{ after: "failed", prompt: "Fix it.", times: 2 }`. */
export interface ContinueRule {
  /** Outcome of the turn. Default: `done`. */
  readonly outcome?: (typeof continuable)[number] | undefined;
  /** The last message contains this text, in any case. */
  readonly text?: string | undefined;
  /** An after-step failed, or all of them passed. */
  readonly after?: "failed" | "passed" | undefined;
  /** The prompt to send. The report of a failed after-step is appended. Default: a short standard prompt. */
  readonly prompt?: string | undefined;
  /** Maximum number of times for one prompt; never more than five. */
  readonly times?: number | undefined;
}

export interface Ended {
  readonly outcome: Outcome;
  readonly text: string;
  /** Result of the after-steps. Undefined when none ran. */
  readonly after?: { readonly passed: boolean; readonly report: string } | undefined;
}

/** The next prompt and the rule that sends it. Undefined when the agent is done. */
export interface Next {
  readonly rule: ContinueRule;
  readonly prompt: string;
}

export class Continuing {
  readonly #rules: readonly ContinueRule[];
  readonly #used = new Map<ContinueRule, number>();
  /** Continuations so far, counted separately for rules about after-steps and all others. */
  readonly #spent = { after: 0, other: 0 };

  constructor(rules: readonly ContinueRule[]) {
    this.#rules = rules;
  }

  /** Applies the first matching rule. Returns `limited` when it matched too often. */
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
