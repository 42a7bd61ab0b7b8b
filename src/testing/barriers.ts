/** Named gates: an answer waits at a gate until the test releases it, so that tests need no sleeps. */
export class Gates {
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #passes = new Map<string, number>();
  readonly #arrivals = new Map<string, (() => void)[]>();

  /** Resolves at a release, or when the signal aborts (which uses up no release). */
  wait(name: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    const passes = this.#passes.get(name) ?? 0;
    if (passes > 0) {
      this.#passes.set(name, passes - 1);
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const waiters = listOf(this.#waiting, name);
      const leave = () => {
        waiters.splice(waiters.indexOf(leave), 1);
        signal.removeEventListener("abort", leave);
        resolve();
      };
      waiters.push(leave);
      signal.addEventListener("abort", leave);
      for (const arrived of this.#arrivals.get(name) ?? []) arrived();
      this.#arrivals.delete(name);
    });
  }

  release(name: string): void {
    const pass = this.#waiting.get(name)?.[0];
    if (pass) pass();
    else this.#passes.set(name, (this.#passes.get(name) ?? 0) + 1);
  }

  reached(name: string): Promise<void> {
    if ((this.#waiting.get(name)?.length ?? 0) > 0) return Promise.resolve();
    return new Promise((resolve) => listOf(this.#arrivals, name).push(resolve));
  }
}

function listOf(map: Map<string, (() => void)[]>, name: string): (() => void)[] {
  const list = map.get(name) ?? [];
  map.set(name, list);
  return list;
}
