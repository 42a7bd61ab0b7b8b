/** The lines that a person types in plain mode. Those that come before somebody asks for them wait. */
import type { Interface } from "node:readline/promises";

export class LineInput {
  readonly #waiting: string[] = [];
  readonly #onQueued: (line: string) => void;
  #wanted: ((line: string | undefined) => void) | undefined;
  #ended = false;
  /** A turn runs: a line that comes now is queued, and said to be. */
  busy = false;

  constructor(lines: Interface, ending: AbortSignal, onQueued: (line: string) => void) {
    this.#onQueued = onQueued;
    lines.on("line", (line) => this.#give(line));
    lines.on("close", () => this.#end());
    ending.addEventListener("abort", () => this.#end());
  }

  /** The next line; undefined where there will be none. */
  next(): Promise<string | undefined> {
    const line = this.#waiting.shift();
    return line !== undefined ? Promise.resolve(line) : this.#newLine();
  }

  /** The answer to something that was asked just now: the first waiting line where it is one, else a new line. Queued prompts stay. */
  answer(isAnswer: (line: string) => boolean): Promise<string | undefined> {
    const [first] = this.#waiting;
    return first !== undefined && isAnswer(first) ? this.next() : this.#newLine();
  }

  /** Whoever waits for a line gets none. Lines that come later are read as before. */
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
