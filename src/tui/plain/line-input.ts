/** The lines that a person types in plain mode. Lines that arrive early are queued. */
import type { Interface } from "node:readline/promises";
import { oneLine } from "../../events/printable.ts";
import { count } from "../../view/labels.ts";

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
    return line !== undefined ? Promise.resolve(line) : this.newLine();
  }

  /** The answer to a request that was just shown: the first queued line if it is an answer, else a new line. Queued prompts stay. */
  answer(isAnswer: (line: string) => boolean): Promise<string | undefined> {
    const [first] = this.#waiting;
    return first !== undefined && isAnswer(first) ? this.next() : this.newLine();
  }

  /** The lines that wait, as they were typed. */
  get queued(): readonly string[] {
    return this.#waiting.filter((line) => line.trim() !== "");
  }

  dropQueued(): void {
    this.#waiting.length = 0;
  }

  /** Ends a pending read with undefined. Later lines are read as before. */
  interrupt(): void {
    this.#wanted?.(undefined);
    this.#wanted = undefined;
  }

  /** A line that is typed from now on; those that wait stay. */
  newLine(): Promise<string | undefined> {
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

/** A person who stops a turn may not want what they typed after it: it is not sent without a word. */
export async function askAboutQueue(input: LineInput, say: (text: string) => void): Promise<void> {
  const { queued } = input;
  say(`${count(queued.length, "prompt")} still queued:`);
  for (const [at, line] of queued.entries()) say(`${at + 1}. ${oneLine(line)}`);
  for (;;) {
    say("Type y to send, n to drop, and press Enter.");
    const typed = (await input.newLine())?.trim().toLowerCase();
    if (typed === "y" || typed === "yes") return;
    if (typed === undefined || typed === "n" || typed === "no") {
      input.dropQueued();
      return say("Dropped.");
    }
  }
}
