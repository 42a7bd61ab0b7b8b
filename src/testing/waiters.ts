/** Waits for the first matching value of several, each offered when it arrives or changes. */
export class Waiters<Thing> {
  #waiting: { readonly matches: (thing: Thing) => boolean; readonly resolve: (thing: Thing) => void }[] = [];

  offer(thing: Thing): void {
    const met = this.#waiting.filter(({ matches }) => matches(thing));
    this.#waiting = this.#waiting.filter((waiter) => !met.includes(waiter));
    for (const { resolve } of met) resolve(thing);
  }

  /** Rejects with the error from `late` when no value matches within the deadline. */
  next(matches: (thing: Thing) => boolean, deadlineMs: number, late: () => Error): Promise<Thing> {
    const { promise, resolve, reject } = Promise.withResolvers<Thing>();
    const waiter = { matches, resolve };
    this.#waiting.push(waiter);
    const timer = setTimeout(() => {
      this.#waiting = this.#waiting.filter((other) => other !== waiter);
      reject(late());
    }, deadlineMs);
    return promise.finally(() => clearTimeout(timer));
  }
}
