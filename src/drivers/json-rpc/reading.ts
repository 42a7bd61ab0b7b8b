import type { AgentEvent } from "../../events/types.ts";
import type { Child, Exit, LineBatch } from "../../process/types.ts";
import type { Out } from "./types.ts";

export interface ReadingOptions {
  readonly child: Child;
  readonly onLines: (batch: LineBatch, out: Out) => void;
  /** Everything is read and the process is gone. */
  readonly onEnd: (exit: Exit, stderrTail: string, out: Out) => void;
}

/** The output of a child as batches of events, pulled: what nobody reads stays in the pipe. */
export class Reading {
  readonly #options: ReadingOptions;
  readonly #lines: AsyncIterator<LineBatch>;
  /** A batch that was asked for and that nobody has taken yet. */
  #ahead: Promise<IteratorResult<LineBatch>> | undefined;
  #early: AgentEvent[] = [];
  #begun = false;
  /** Wakes whoever waits for lines, because there are events without one. */
  #wake: (() => void) | undefined;

  constructor(options: ReadingOptions) {
    this.#options = options;
    this.#lines = options.child.lines[Symbol.asyncIterator]();
  }

  say(events: readonly AgentEvent[]): void {
    if (this.#begun) this.#early.push(...events);
    else this.#early.unshift(...events);
    this.#wake?.();
  }

  async *events(): AsyncGenerator<readonly AgentEvent[], void, undefined> {
    this.#begun = true;
    for (;;) {
      // Again: more may be said while the reader looks at it, and nobody would be woken.
      while (this.#early.length > 0) yield this.#takeEarly();
      this.#ahead ??= this.#lines.next();
      const woken = new Promise<undefined>((resolve) => (this.#wake = () => resolve(undefined)));
      const step = await Promise.race([this.#ahead, woken]);
      if (step === undefined) continue;
      this.#ahead = undefined;
      if (step.done === true) break;
      const out = this.#takeEarly();
      this.#options.onLines(step.value, out);
      if (out.length > 0) yield out;
    }
    const { child, onEnd } = this.#options;
    const exit = await child.exited;
    const out = this.#takeEarly();
    onEnd(exit, child.stderrTail(), out);
    yield out;
  }

  /** Ends when the promise settles or the output ends, which `onGone` hears of. */
  async until(promise: Promise<unknown>, onGone: (exit: Exit) => void): Promise<void> {
    let settled = false;
    const done = promise.then(
      () => void (settled = true),
      () => void (settled = true),
    );
    while (!settled) {
      this.#ahead ??= this.#lines.next();
      const step = await Promise.race([this.#ahead, done]);
      // Settled meanwhile (a deadline): what was asked of the pipe stays for the reader of the events.
      if (step === undefined) break;
      this.#ahead = undefined;
      if (step.done === true) {
        onGone(await this.#options.child.exited);
        await done;
        break;
      }
      this.#options.onLines(step.value, this.#early);
    }
  }

  #takeEarly(): AgentEvent[] {
    const taken = this.#early;
    this.#early = [];
    return taken;
  }
}
