/**
 * Its own retries cannot be set: a request that fails is sent seven times over more than a minute, without a word on the wire. What
 * it writes down of them tells; after two the turn is given up, and whether to wait, try again or move on is for the route to decide.
 */
import { number, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { AgentEvent } from "../../events/types.ts";
import { errorOf } from "./errors.ts";
import type { Failure } from "./errors.ts";
import { waitSaid } from "./errors-resets.ts";

export const maxRetries = 2;
/** How long nothing must be heard before the transcript is looked at. */
const silenceMs = 400;
/** It waits as long as a service asks it to, were it a day. Longer than this is not waited for. */
const patienceMs = 10_000;
/** Where the service says it only to the program, nothing more is heard for so long. */
const silentMs = 30_000;

export function retrying(attempt: number, failure: Failure): AgentEvent[] {
  if (attempt > maxRetries) return [];
  return [
    { type: "turn.phase", phase: "retry" },
    { type: "agent.retrying", attempt, ofMax: maxRetries, error: errorOf(failure) },
  ];
}

export interface RetryWatchOptions {
  /** False where it has other models to try after its own retries. */
  readonly givesUp: boolean;
  /** Looks at the transcript; what is found comes as a line. */
  readonly look: () => void;
  readonly giveUp: (failure: Failure) => void;
}

/** While a turn runs and nothing is heard. */
export class RetryWatch {
  readonly #options: RetryWatchOptions;
  #timer: NodeJS.Timeout | undefined;
  #silent: NodeJS.Timeout | undefined;
  #heard = false;

  constructor(options: RetryWatchOptions) {
    this.#options = options;
  }

  start(): void {
    this.stop();
    this.#timer = setInterval(() => {
      if (!this.#heard) this.#options.look();
      this.#heard = false;
    }, silenceMs).unref();
  }

  /** The program said something. */
  heard(): void {
    this.#heard = true;
    clearTimeout(this.#silent);
  }

  stop(): void {
    clearTimeout(this.#silent);
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** A line of ours: what was found. */
  failed(line: Wire): AgentEvent[] {
    // The turn is over, or given up.
    if (this.#timer === undefined) return [];
    const attempt = number(line["attempt"]) ?? 1;
    const failure = { status: number(line["status"]), said: text(line["said"]) ?? "" };
    if (!this.#options.givesUp) return retrying(attempt, failure);
    if (attempt > maxRetries || (waitSaid(failure.said) ?? 0) > patienceMs) {
      this.#options.giveUp(failure);
      return [];
    }
    clearTimeout(this.#silent);
    if (mayAskToWait(failure)) this.#silent = setTimeout(() => this.#options.giveUp(failure), silentMs).unref();
    return retrying(attempt, failure);
  }
}

/** With these a service may say how long to wait, and the program does. */
function mayAskToWait({ status }: Failure): boolean {
  return status === 429 || status === 503;
}
