/** What was recorded goes to the log, past those who learn from it. */
import type { SessionLog } from "./log.ts";
import type { Recorder } from "./record/recorder.ts";
import type { Relay } from "./route/relay.ts";
import type { Spending } from "./spending.ts";

export interface JournalOptions {
  readonly recorder: Recorder;
  readonly log: SessionLog;
  readonly relay: () => Relay;
  readonly spending: () => Spending;
}

export class Journal {
  readonly #o: JournalOptions;

  constructor(options: JournalOptions) {
    this.#o = options;
  }

  say(level: "info" | "warning" | "error", code: string, message: string): void {
    this.#o.recorder.say({ type: "notice", level, code, message });
    void this.flush();
  }

  /** Hands what was recorded to the log; the promise asks to wait for its readers. The last events of a turn never wait for them. */
  flush(ended = false): Promise<void> | undefined {
    const events = this.#o.recorder.take();
    if (events.length === 0) return undefined;
    const [relay, spending] = [this.#o.relay(), this.#o.spending()];
    for (const event of events) {
      relay.follow(event);
      spending.follow(event);
    }
    const wait = this.#o.log.append(events);
    if (events.some(({ type }) => type === "usage.updated" || type === "turn.started")) spending.check();
    return ended ? undefined : wait;
  }
}
