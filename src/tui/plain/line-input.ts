/** The lines that a person types in plain mode. Lines that arrive early are queued. */
import type { Interface } from "node:readline/promises";

export class LineInput {
  readonly #waiting: string[] = [];
  readonly #onQueued: (line: string) => void;
  #wanted: ((line: string | undefined) => void) | undefined;
  #ended = false;
  /** True during a turn: a line that arrives now is queued, and the person is told. */
  busy = false;

  constructor(lines: Interface, ending: AbortSignal, onQueued: (line: string) => void) {
    this.#onQueued = onQueued;
    lines.on("line", (line) => this.#give(line));
    lines.on("close", () => this.#end());
    ending.addEventListener("abort", () => this.#end());
  }

  /** The next line; undefined at the end of the input. */
  next(): Promise<string | undefined> {
    const line = this.#waiting.shift();
    return line !== undefined ? Promise.resolve(line) : this.#newLine();
  }

  /** The answer to a request that was just shown: the first queued line if it is an answer, else a new line. Queued prompts stay. */
  answer(isAnswer: (line: string) => boolean): Promise<string | undefined> {
    const [first] = this.#waiting;
    return first !== undefined && isAnswer(first) ? this.next() : this.#newLine();
  }

  /** Ends a pending read with undefined. Later lines are read as before. */
  interrupt(): void {
    this.#wanted?.(undefined);
    this.#wanted = undefined;
  }

  #newLine(): Promise<string | undefined> {
    if (this.#ended) return Promise.resolve(undefined);
    return new Promise((resolve) => (this.#wanted = resolve));
  }

  #give(line: string): void {
    const wanted = this.#wanted;
    this.#wanted = undefined;
    if (wanted !== undefined) return wanted(line);
    this.#waiting.push(line);
    if (this.busy && line.trim() !== "") this.#onQueued(line);
  }

  #end(): void {
    this.#ended = true;
    this.interrupt();
  }
}
