import type { AgentEvent } from "../events/types.ts";
import type { Child, Exit, LineBatch } from "../process/types.ts";

export interface EventBatchesOptions {
  readonly child: Child;
  readonly onLines: (batch: LineBatch, out: AgentEvent[]) => void;
  readonly onEnd: (exit: Exit, stderrTail: string, out: AgentEvent[]) => void;
  /** The agent printed too much before anybody reads it. */
  readonly onFlood?: () => void;
}

const mostEarly = 8 * 1024 * 1024;

/** Turns the output of a child into batches of events. They are pulled: lines that nobody reads stay in the pipe. */
export class EventBatches {
  readonly #options: EventBatchesOptions;
  readonly #lines: AsyncIterator<LineBatch>;
  /** The next batch of lines, requested and not taken yet. */
  #ahead: Promise<IteratorResult<LineBatch>> | undefined;
  #early: AgentEvent[] = [];
  #begun = false;
  /** Wakes the reader that waits for lines. */
  #wake: (() => void) | undefined;

  constructor(options: EventBatchesOptions) {
    this.#options = options;
    this.#lines = options.child.lines[Symbol.asyncIterator]();
  }

  /** Adds events of our own: before everything that was read as long as nobody reads, later before the next line. */
  say(events: readonly AgentEvent[]): void {
    if (this.#begun) this.#early.push(...events);
    else this.#early.unshift(...events);
    this.#wake?.();
  }

  async *events(): AsyncGenerator<readonly AgentEvent[], void, undefined> {
    this.#begun = true;
    for (;;) {
      // Events that are added while the reader is busy wake nobody.
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

  /** Reads until the promise settles or the output ends (`onGone`), and keeps the events for the reader. */
  async until(promise: Promise<unknown>, onGone: (exit: Exit) => void): Promise<void> {
    let settled = false;
    let chars = 0;
    const done = promise.then(
      () => void (settled = true),
      () => void (settled = true),
    );
    while (!settled) {
      this.#ahead ??= this.#lines.next();
      const step = await Promise.race([this.#ahead, done]);
      // Settled by a deadline: the requested batch stays for the reader.
      if (step === undefined) break;
      this.#ahead = undefined;
      if (step.done === true) {
        onGone(await this.#options.child.exited);
        await done;
        break;
      }
      const before = this.#early.length;
      this.#options.onLines(step.value, this.#early);
      if (this.#early.length > before) chars += step.value.lines.reduce((sum, line) => sum + line.length, 0);
      if (chars > mostEarly) this.#options.onFlood?.();
    }
  }

  #takeEarly(): AgentEvent[] {
    const taken = this.#early;
    this.#early = [];
    return taken;
  }
}
