/**
 * Its own retries cannot be set: a request that fails is sent seven times over more than a minute, without a word on the wire. What
 * it writes down of them tells; after two the turn is given up, and whether to wait, try again or move on is for the route to decide.
 */
import type { AgentEvent } from "../../events/types.ts";
import { errorOf } from "./errors.ts";
import type { Failure } from "./errors.ts";
import type { Transcript } from "./transcript.ts";

export const maxRetries = 2;
/** How long nothing must be heard before the file is looked at. */
const silenceMs = 400;

export function retrying(attempt: number, failure: Failure): AgentEvent[] {
  if (attempt > maxRetries) return [];
  return [
    { type: "turn.phase", phase: "retry" },
    { type: "agent.retrying", attempt, ofMax: maxRetries, error: errorOf(failure) },
  ];
}

export interface RetryWatchOptions {
  readonly say: (events: readonly AgentEvent[]) => void;
  readonly giveUp: (failure: Failure) => void;
}

/** Looks at the transcript while a turn runs and nothing is heard. */
export class RetryWatch {
  readonly #options: RetryWatchOptions;
  #timer: NodeJS.Timeout | undefined;
  #heard = false;
  #looking = false;
  #failures = 0;

  constructor(options: RetryWatchOptions) {
    this.#options = options;
  }

  async start(transcript: Transcript): Promise<void> {
    this.stop();
    const timer = setInterval(() => void this.#look(transcript, timer), silenceMs).unref();
    this.#timer = timer;
    this.#failures = 0;
    await transcript.begin();
  }

  /** The program said something. */
  heard(): void {
    this.#heard = true;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #look(transcript: Transcript, timer: NodeJS.Timeout): Promise<void> {
    const quiet = !this.#heard;
    this.#heard = false;
    if (!quiet || this.#looking) return;
    this.#looking = true;
    const { failures, worked } = await transcript.failures();
    this.#looking = false;
    if (this.#timer !== timer) return;
    if (worked) this.#failures = 0;
    for (const failure of failures.filter(isRetried)) {
      this.#failures++;
      if (this.#failures > maxRetries) return this.#options.giveUp(failure);
      this.#options.say(retrying(this.#failures, failure));
    }
  }
}

/** The others end the turn at once. */
function isRetried({ status }: Failure): boolean {
  return status === undefined || status === 429 || status >= 500;
}
