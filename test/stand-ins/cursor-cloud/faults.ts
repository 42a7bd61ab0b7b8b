/** Faults that tests inject. */
export interface Fault {
  readonly method?: string;
  /** Matches the path of the address, without its query. */
  readonly path: RegExp;
  /** How often the fault occurs; default: once. */
  readonly times?: number;
  /** Sent instead of the answer. `destroy`: the connection breaks. `lost`: the request is processed, and the answer never arrives. */
  readonly answer: FaultAnswer | (() => object) | "destroy" | "lost";
}

export interface FaultAnswer {
  readonly status: number;
  /** A string is sent unchanged. */
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
}

export class Faults {
  #faults: { fault: Fault; left: number }[] = [];
  /** Breaks the connection of a stream after this many events, once. */
  cutAfter: number | undefined;
  /** The events of a run are no longer stored. */
  expired = false;
  /** Only the older API is available. */
  olderOnly = false;

  add(fault: Fault): void {
    this.#faults.push({ fault, left: fault.times ?? 1 });
  }

  clear(): void {
    this.#faults = [];
  }

  take(method: string, path: string): Fault["answer"] | undefined {
    const found = this.#faults.find(
      ({ fault, left }) => left > 0 && fault.path.test(path) && (fault.method === undefined || fault.method === method),
    );
    if (found === undefined) return undefined;
    found.left--;
    return found.fault.answer;
  }
}
