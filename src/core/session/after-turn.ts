/** Everything that follows a turn by itself: after-steps, and prompts by rules on how the turn ended. */
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

  /** Throws where an after-step is no command line. */
  constructor(options: AfterTurnOptions) {
    this.#o = options;
    this.#steps = stepsOf(options.after);
    this.#continuing = new Continuing(options.rules ?? []);
  }

  get any(): boolean {
    return this.#steps.length > 0 || (this.#o.rules?.length ?? 0) > 0;
  }

  /** Somebody prompted: from here it is counted anew. */
  begin(): void {
    this.#continuing = new Continuing(this.#o.rules ?? []);
  }

  /** In a turn that is about to end, while it is still open. What is returned is what the agent is told next. */
  async of(turn: Pick<Ended, "outcome" | "text">, signal: AbortSignal): Promise<string | undefined> {
    const after = turn.outcome === "done" ? await this.#run(signal) : undefined;
    if (signal.aborted || after?.denied === true) return undefined;
    if (!(continuable as readonly string[]).includes(turn.outcome)) return undefined;
    const next = this.#continuing.next({ ...turn, after });
    if (next !== "limited") return next?.prompt;
    this.#o.warn("It would go on by itself, and has done so as often as it may.");
    return undefined;
  }

  async #run(signal: AbortSignal): Promise<AfterResult | undefined> {
    return this.#steps.length === 0 ? undefined : runAfter(this.#steps, this.#o, signal);
  }
}

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
  readonly prompt?: string | undefined;
  /** At most this often for one prompt; never more than five times. */
  readonly times?: number | undefined;
}

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
