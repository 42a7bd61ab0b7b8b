import type { TerminalPort } from "./port.ts";

/** DECXCPR; its reply cannot be taken for a key, as that of CSI 6 n can. */
const askPlace = "\x1b[?6n";
const reply = /\x1b\[\?(\d+);\d+(?:;\d+)?R/;

/** The row of the screen on which the live rows of an inline screen begin: asked from the terminal, then counted. */
export class TopRow {
  readonly #port: TerminalPort;
  #stop: (() => void) | undefined;
  /** The cursor's row among the live rows when the terminal was asked; undefined when nothing is awaited. */
  #askedAt: number | undefined;
  #asked = 0;
  #height = 0;
  /** The row at the time of the question, once it is known. */
  #known: number | undefined;
  /** What was drawn since then puts row `r` at `min(r + moved, most)`. */
  #moved = 0;
  #most = 0;

  constructor(port: TerminalPort) {
    this.#port = port;
  }

  start(height: number): string {
    this.#stop = this.#port.onData((data) => {
      const row = reply.exec(data)?.[1];
      if (row === undefined || --this.#asked > 0) return;
      this.#known = Number(row) - 1 - (this.#askedAt ?? 0);
    });
    return this.ask(height, 1, 0);
  }

  stop(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#asked = 0;
  }

  /** The question, to be written when `live` rows are on the screen and the cursor is on one of them. */
  ask(height: number, live: number, cursor: number): string {
    this.#height = height;
    this.#known = undefined;
    this.#askedAt = cursor;
    this.#asked += 1;
    this.#moved = 0;
    this.#most = height - live;
    return askPlace;
  }

  /** Rows were printed above the live ones, or there are so many live ones. */
  grow(printed: number, live: number): void {
    this.#moved += printed;
    this.#most = Math.min(this.#most + printed, this.#height - Math.max(1, live));
  }

  /** How many rows of the screen are below so many live rows. Before the answer is here: none. */
  freeBelow(height: number, live: number): number {
    const top = this.#known === undefined ? this.#most : Math.min(this.#known + this.#moved, this.#most);
    return Math.max(0, height - live - top);
  }
}
