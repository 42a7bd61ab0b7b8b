import { longestMs } from "../../events/deadlines.ts";

export interface SilenceOptions {
  readonly quietMs: number;
  readonly maxQuietMs: number | undefined;
  /** False while the agent waits for Reins: for a person or for readers. */
  readonly shouldSpeak: () => boolean;
  readonly silent: (seconds: number, hung: boolean) => void;
}

/** A check that is this late means that the process or its event loop was suspended. */
const lateMs = 250;

/** Detects silence in a running turn. Reported once until the agent speaks again. */
export class SilenceTimer {
  readonly #o: SilenceOptions;
  readonly #maxQuietMs: number | undefined;
  #lastHeard = 0;
  #lookDue = 0;
  #every = 0;
  #told = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SilenceOptions) {
    this.#o = options;
    this.#maxQuietMs = options.maxQuietMs === undefined ? undefined : Math.min(options.maxQuietMs, longestMs);
  }

  start(): void {
    this.stop();
    this.heard();
    const { quietMs } = this.#o;
    this.#every = Math.max(10, Math.min(quietMs, this.#maxQuietMs ?? quietMs));
    this.#lookDue = performance.now() + this.#every;
    this.#timer = setInterval(() => this.#look(), this.#every);
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
    const now = performance.now();
    const late = now - this.#lookDue;
    this.#lookDue = now + this.#every;
    // The process was suspended, so nothing could be heard. Events of the agent are read before the next check.
    if (late > lateMs) {
      this.#lastHeard += late;
      return;
    }
    if (!this.#o.shouldSpeak()) return this.heard();
    const silent = now - this.#lastHeard;
    const seconds = Math.round(silent / 1000);
    // Timers may fire slightly early.
    if (this.#maxQuietMs !== undefined && silent >= this.#maxQuietMs - 5) {
      this.stop();
      this.#o.silent(seconds, true);
    } else if (!this.#told && silent >= this.#o.quietMs - 5) {
      this.#told = true;
      this.#o.silent(seconds, false);
    }
  }
}
