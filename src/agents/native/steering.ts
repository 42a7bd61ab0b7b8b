import type { ModelMessage } from "ai";

/** What is said into a running turn, until it is taken in; once the turn is over nothing can be said into it. */
export class Steering {
  #waiting: ModelMessage[] = [];
  #over = false;

  get over(): boolean {
    return this.#over;
  }

  add(message: ModelMessage): void {
    this.#waiting.push(message);
  }

  take(): ModelMessage[] {
    return this.#waiting.splice(0);
  }

  /** The turn is over, unless something was said into it. */
  finish(): boolean {
    this.#over = this.#waiting.length === 0;
    return this.#over;
  }

  close(): void {
    this.#over = true;
    this.#waiting = [];
  }
}
