/** What goes wrong on purpose. */
export interface Fault {
  readonly method?: string;
  /** Of the address, without its query. */
  readonly path: RegExp;
  /** How often; default: once. */
  readonly times?: number;
  /** Instead of the answer. `destroy`: the connection dies. `lost`: it is done, and the answer never comes. */
  readonly answer: FaultAnswer | (() => object) | "destroy" | "lost";
}

export interface FaultAnswer {
  readonly status: number;
  /** Text is sent as it is. */
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
}

export class Faults {
  #faults: { fault: Fault; left: number }[] = [];
  /** After so many events of a stream its connection dies, once. */
  cutAfter: number | undefined;
  /** What a run has told is kept no longer. */
  expired = false;
  /** There is only the older API. */
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
