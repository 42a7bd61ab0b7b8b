const firstPauseMs = 20;

/** Delays between connection attempts: exponential backoff with random jitter, so that clients do not all reconnect at once. */
export class ReconnectDelay {
  readonly #patienceMs: number;
  readonly #longestMs: number;
  #since: number | undefined;
  #pauseMs = firstPauseMs;
  #end: (() => void) | undefined;

  constructor(patienceMs: number, longestMs = 1_000) {
    this.#patienceMs = patienceMs;
    this.#longestMs = longestMs;
  }

  reset(): void {
    this.#since = undefined;
    this.#pauseMs = firstPauseMs;
  }

  end(): void {
    this.#end?.();
  }

  /** Resolves with false when the server has been unreachable for too long. */
  async wait(): Promise<boolean> {
    this.#since ??= performance.now();
    if (performance.now() - this.#since >= this.#patienceMs) return false;
    const pause = this.#pauseMs * (0.6 + 0.4 * Math.random());
    this.#pauseMs = Math.min(this.#pauseMs * 2, this.#longestMs);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pause);
      this.#end = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    return true;
  }
}
