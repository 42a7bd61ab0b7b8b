/** Failures to show a token, by address: too many in a minute are answered with 429. One that counts is never held up. */
const window = 60_000;
const most = 20;
const mostAddresses = 10_000;

export class Failures {
  readonly #of = new Map<string, { since: number; count: number }>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Counts one; true where it was one too many. */
  add(address: string): boolean {
    const now = this.#now();
    const known = this.#of.get(address);
    const entry = known === undefined || now - known.since > window ? { since: now, count: 0 } : known;
    entry.count++;
    if (this.#of.size > mostAddresses) this.#of.clear();
    this.#of.set(address, entry);
    return entry.count > most;
  }
}
