import type { AgentEvent } from "../events/types.ts";
import type { Child, Exit, LineBatch } from "../process/types.ts";

export interface EventBatchesOptions {
  readonly child: Child;
  readonly onLines: (batch: LineBatch, out: AgentEvent[]) => void;
  readonly onEnd: (exit: Exit, stderrTail: string, out: AgentEvent[]) => void;
  /** Called when the agent prints too much before anyone reads `events`. */
  readonly onFlood?: () => void;
}

const mostEarly = 8 * 1024 * 1024;

/** Turns the output of a child into batches of events. The consumer pulls them; lines that it does not pull stay in the pipe. */
export class EventBatches {
  readonly #options: EventBatchesOptions;
  readonly #lines: AsyncIterator<LineBatch>;
  /** The next batch of lines, requested but not consumed yet. */
  #ahead: Promise<IteratorResult<LineBatch>> | undefined;
  #early: AgentEvent[] = [];
  #begun = false;
  /** Wakes the reader that waits for lines. */
  #wake: (() => void) | undefined;

  constructor(options: EventBatchesOptions) {
    this.#options = options;
    this.#lines = options.child.lines[Symbol.asyncIterator]();
  }

  /** Adds events of Reins: before all output read so far while there is no reader yet, later before the next line. */
  say(events: readonly AgentEvent[]): void {
    if (this.#begun) this.#early.push(...events);
    else this.#early.unshift(...events);
    this.#wake?.();
  }

  async *events(): AsyncGenerator<readonly AgentEvent[], void, undefined> {
    this.#begun = true;
    for (;;) {
      // Events added while the reader is busy wake nobody, so look for them here.
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
      // A deadline settled the promise: leave the requested batch for the reader.
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
