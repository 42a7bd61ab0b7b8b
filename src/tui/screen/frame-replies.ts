import type { TerminalPort } from "./port.ts";

/** Live rows as they were drawn, and the position of the cursor among them. */
export interface DrawnRows {
  readonly rows: readonly string[];
  readonly at: { readonly row: number; readonly column: number };
  readonly size: { readonly columns: number; readonly rows: number };
  /** True when all rows were drawn again, below the lines printed with them. */
  readonly isWhole: boolean;
}

const reply = /\x1b\[(\d+);(\d+)R/g;
const replyBegun = /\x1b(?:\[[\d;]*)?$/;
/** A terminal that has not replied after this time does not reply at all. */
const patienceMs = 300;

/**
 * Tracks which frames a terminal processed before it was resized. Each frame asks for the cursor position at the right edge: the reply
 * tells how wide the terminal was when it processed the frame. Without this, a frame sent during a resize would be mistaken for one that
 * the terminal has re-wrapped, and printed lines above it would be erased.
 */
export class FrameReplies {
  readonly #port: TerminalPort;
  #stop: (() => void) | undefined;
  #rest = "";
  #isSilent = false;
  #awaited: DrawnRows[] = [];
  /** The last frame that the terminal processed at the size for which it was drawn. */
  #known: DrawnRows | undefined;
  /** The screen row on which the live rows of that frame began. */
  #top = 0;
  /** Set when a later frame was processed at another width; `whole` if that frame drew everything. */
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

  /** Records a frame and returns the query to write after it. */
  ask(frame: DrawnRows): string {
    if (this.#isSilent) {
      this.#known = frame;
      return "";
    }
    this.#awaited.push(frame);
    const { column } = frame.at;
    return `\x1b[999C\x1b[6n\r${column > 0 ? `\x1b[${column}C` : ""}`;
  }

  /** Resolves when every frame was answered or the terminal does not reply; undefined when no reply is pending. */
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

  /** The known state of the terminal's screen when it was resized. */
  get state(): { readonly known: DrawnRows | undefined; readonly top: number; readonly late: "no" | "part" | "whole" } {
    const late = this.#awaited.some(({ isWhole }) => isWhole)
      ? "whole"
      : this.#awaited.length > 0
        ? "part"
        : this.#late;
    return { known: this.#known, top: this.#top, late };
  }

  /** The rows were found again, so late frames no longer matter. */
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
