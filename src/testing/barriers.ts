interface Waiter {
  readonly pass: () => void;
}

/** Places where an answer waits for the test, instead of sleeping. */
export class Gates {
  readonly #waiting = new Map<string, Waiter[]>();
  readonly #passes = new Map<string, number>();
  readonly #arrivals = new Map<string, (() => void)[]>();

  /** Resolves when it may pass, or when the signal aborts (then it takes no pass). */
  wait(name: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    const passes = this.#passes.get(name) ?? 0;
    if (passes > 0) {
      this.#passes.set(name, passes - 1);
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const waiters = this.#list(this.#waiting, name);
      const leave = () => {
        const at = waiters.indexOf(waiter);
        if (at !== -1) waiters.splice(at, 1);
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const waiter: Waiter = { pass: leave };
      waiters.push(waiter);
      signal.addEventListener("abort", leave);
      for (const arrived of this.#arrivals.get(name) ?? []) arrived();
      this.#arrivals.delete(name);
    });
  }

  /** Lets one answer pass: the one that waits longest, or the next to come. */
  release(name: string): void {
    const waiter = this.#waiting.get(name)?.[0];
    if (waiter) waiter.pass();
    else this.#passes.set(name, (this.#passes.get(name) ?? 0) + 1);
  }

  /** Resolves when an answer waits there. */
  reached(name: string): Promise<void> {
    if ((this.#waiting.get(name)?.length ?? 0) > 0) return Promise.resolve();
    return new Promise((resolve) => this.#list(this.#arrivals, name).push(resolve));
  }

  #list<T>(map: Map<string, T[]>, name: string): T[] {
    const known = map.get(name);
    if (known) return known;
    const list: T[] = [];
    map.set(name, list);
    return list;
  }
}
