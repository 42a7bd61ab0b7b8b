/** How long somebody is waited for who does not answer: a little longer each time, and not for ever. */
const firstMs = 20;
const longestMs = 1_000;

export class Patience {
  readonly #most: number;
  #since: number | undefined;
  #wait = firstMs;

  constructor(most: number) {
    this.#most = most;
  }

  /** There was an answer. */
  renew(): void {
    this.#since = undefined;
    this.#wait = firstMs;
  }

  /** Waits; false where it has lasted too long. */
  async another(): Promise<boolean> {
    this.#since ??= performance.now();
    if (performance.now() - this.#since >= this.#most) return false;
    const wait = this.#wait;
    this.#wait = Math.min(wait * 2, longestMs);
    await new Promise((resolve) => setTimeout(resolve, wait));
    return true;
  }
}
