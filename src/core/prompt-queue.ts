/** Prompts that wait for their turn. */
import type { PromptInput } from "../agents/contract.ts";
import { ReinsError } from "../events/errors.ts";
import type { TurnOptions } from "./api.ts";
import type { TurnHandle } from "./turn-handle.ts";

export interface Queued {
  readonly handle: TurnHandle;
  readonly input: PromptInput;
  readonly options: TurnOptions;
}

export class PromptQueue {
  readonly #waiting: Queued[] = [];

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  add(queued: Queued): void {
    this.#waiting.push(queued);
    queued.handle.cancelOn(queued.options.signal);
  }

  next(): Queued | undefined {
    return this.#waiting.shift();
  }

  /** False where it does not wait. */
  cancel(turn: TurnHandle): boolean {
    const place = this.#waiting.findIndex(({ handle }) => handle === turn);
    if (place < 0) return false;
    this.#waiting.splice(place, 1);
    turn.refuse(cancelled());
    return true;
  }

  cancelAll(): void {
    for (const { handle } of this.#waiting.splice(0)) handle.refuse(cancelled());
  }
}

function cancelled(): ReinsError {
  return new ReinsError("cancelled", "The prompt was cancelled while it waited for its turn.");
}
