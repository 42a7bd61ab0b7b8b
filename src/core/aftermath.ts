/** What follows a turn by itself: its after-steps, and the prompt that a rule sends next. */
import { runAfter, stepsOf } from "./after.ts";
import type { AfterContext, AfterResult, AfterSteps } from "./after.ts";
import { continuable, Continuing } from "./continue.ts";
import type { ContinueRule, Ended } from "./continue.ts";

export interface AftermathOptions extends AfterContext {
  readonly after: AfterSteps | undefined;
  readonly rules: readonly ContinueRule[] | undefined;
  readonly warn: (message: string) => void;
}

export class Aftermath {
  readonly #o: AftermathOptions;
  readonly #steps: ReturnType<typeof stepsOf>;
  #continuing: Continuing;

  /** Throws where an after-step is no command line. */
  constructor(options: AftermathOptions) {
    this.#o = options;
    this.#steps = stepsOf(options.after);
    this.#continuing = new Continuing(options.rules ?? []);
  }

  /** Something may follow. */
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
