import type { TerminalPort } from "./port.ts";

/** Live rows as they were drawn, and where the cursor was left among them. */
export interface DrawnRows {
  readonly rows: readonly string[];
  readonly at: { readonly row: number; readonly column: number };
  readonly size: { readonly columns: number; readonly rows: number };
  /** All of it was drawn anew, below what was printed with it. */
  readonly isWhole: boolean;
}

const reply = /\x1b\[(\d+);(\d+)R/g;
const replyBegun = /\x1b(?:\[[\d;]*)?$/;
/** A terminal that has not answered for so long does not answer at all. */
const patienceMs = 300;

/**
 * Knows which frames a terminal took before it was resized. Each frame asks for the cursor's place at the right edge: the reply
 * says how wide the terminal was when it took the frame. Without it, a frame that is under way during a resize would be taken
 * for one that the terminal has wrapped again, and printed lines above it would be erased.
 */
export class FrameReplies {
  readonly #port: TerminalPort;
  #stop: (() => void) | undefined;
  #rest = "";
  #isSilent = false;
  #awaited: DrawnRows[] = [];
  /** The last frame that the terminal took in the size for which it was drawn. */
  #known: DrawnRows | undefined;
  /** The row of the screen on which the live rows of that frame began. */
  #top = 0;
  /** A frame after it was taken in another width; `whole`: one that drew everything. */
  #late: "no" | "part" | "whole" = "no";
  #settled: PromiseWithResolvers<void> | undefined;

  constructor(port: TerminalPort) {
    this.#port = port;
  }

  start(): void {
    this.#stop = this.#port.onData((data) => this.#read(data));
  }

  stop(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#awaited = [];
    this.#known = undefined;
    this.#late = "no";
    this.#settled?.resolve();
  }

  /** Notes a frame, and returns the question to write behind it. */
  ask(frame: DrawnRows): string {
    if (this.#isSilent) {
      this.#known = frame;
      return "";
    }
    this.#awaited.push(frame);
    const { column } = frame.at;
    return `\x1b[999C\x1b[6n\r${column > 0 ? `\x1b[${column}C` : ""}`;
  }

  /** Resolves when every frame was answered, or the terminal does not answer; undefined when nothing is awaited. */
  get settled(): Promise<void> | undefined {
    if (this.#awaited.length === 0) return undefined;
    const { promise, resolve } = (this.#settled ??= Promise.withResolvers<void>());
    const timer = setTimeout(() => {
      this.#isSilent = true;
      this.#known = this.#awaited.at(-1);
      this.#awaited = [];
      resolve();
    }, patienceMs);
    return promise.finally(() => {
      clearTimeout(timer);
      this.#settled = undefined;
    });
  }

  /** What the terminal had on its screen when it was resized, as far as it is known. */
  get state(): { readonly known: DrawnRows | undefined; readonly top: number; readonly late: "no" | "part" | "whole" } {
    const late = this.#awaited.some(({ isWhole }) => isWhole)
      ? "whole"
      : this.#awaited.length > 0
        ? "part"
        : this.#late;
    return { known: this.#known, top: this.#top, late };
  }

  /** The rows were found again: what was late does not matter any more. */
  reset(): void {
    this.#late = "no";
  }

  #read(data: string): void {
    const text = this.#rest + data;
    let end = 0;
    for (const match of text.matchAll(reply)) {
      end = match.index + match[0].length;
      this.#take(Number(match[1]), Number(match[2]));
    }
    this.#rest = replyBegun.exec(text.slice(end))?.[0] ?? "";
  }

  #take(row: number, width: number): void {
    const frame = this.#awaited.shift();
    if (frame === undefined) return;
    if (width !== frame.size.columns) this.#late = frame.isWhole || this.#late === "whole" ? "whole" : "part";
    else {
      this.#known = frame;
      this.#top = row - 1 - frame.at.row;
    }
    if (this.#awaited.length === 0) this.#settled?.resolve();
  }
}
