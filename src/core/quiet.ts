import { longestMs } from "../events/deadlines.ts";

export interface QuietOptions {
  /** The agent cannot speak because it waits for us: for a person, for readers. */
  readonly waits: () => boolean;
  readonly quiet: (seconds: number) => void;
  readonly hung: (seconds: number) => void;
}

/** Watches for silence in a running turn. Silence alone only gets a notice; a turn fails of it only where the caller said so. */
export class QuietWatch {
  readonly #quietMs: number;
  readonly #maxQuietMs: number | undefined;
  readonly #on: QuietOptions;
  #lastHeard = 0;
  #told = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(quietMs: number, maxQuietMs: number | undefined, on: QuietOptions) {
    this.#quietMs = quietMs;
    this.#maxQuietMs = maxQuietMs === undefined ? undefined : Math.min(maxQuietMs, longestMs);
    this.#on = on;
  }

  start(): void {
    this.stop();
    this.heard();
    const every = Math.max(10, Math.min(this.#quietMs, this.#maxQuietMs ?? this.#quietMs));
    this.#timer = setInterval(() => this.#look(), every);
    this.#timer.unref();
  }

  heard(): void {
    this.#lastHeard = performance.now();
    this.#told = false;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    if (this.#on.waits()) return this.heard();
    const silent = performance.now() - this.#lastHeard;
    const seconds = Math.round(silent / 1000);
    // A timer may come a moment early against the clock.
    if (this.#maxQuietMs !== undefined && silent >= this.#maxQuietMs - 5) {
      this.stop();
      this.#on.hung(seconds);
    } else if (!this.#told && silent >= this.#quietMs - 5) {
      this.#told = true;
      this.#on.quiet(seconds);
    }
  }
}
