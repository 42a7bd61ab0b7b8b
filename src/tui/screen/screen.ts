/** The common part of the full and the inline screen: start, stop, handing over the terminal, Ctrl-Z. */
import { modesOff, modesOn, mouseOff, mouseOn } from "./modes.ts";
import type { TerminalPort } from "./port.ts";
import { titleSequence } from "./title.ts";

export interface Frame {
  /** Styled rows from the top; a row that is too wide is cut. */
  readonly rows: readonly string[];
  /** Zero-based cell of the cursor. Without it the cursor is hidden. */
  readonly cursor?: { readonly row: number; readonly column: number } | undefined;
}

export type ScreenKind = "full" | "inline";

/** Tells the process that restores the terminal after a kill -9 which screen is on. */
export interface ScreenWatcher {
  use(kind: ScreenKind | "off"): void;
}

export interface ScreenOptions {
  readonly watcher?: ScreenWatcher | undefined;
}

export interface Screen {
  readonly kind: ScreenKind;
  readonly columns: number;
  readonly rows: number;
  readonly started: boolean;
  /** Takes over the terminal. Does nothing if it is started already. */
  start(): void;
  /** Restores the terminal. Synchronous; does nothing if it is stopped already. */
  stop(): void;
  /** Resolves when no reply of the terminal is pending. A reply after `stop` would be typed into the shell. */
  settled(): Promise<void>;
  /** Shows a frame. Writes only the difference to the previous frame. */
  draw(frame: Frame): void;
  /** Mouse buttons and wheel. Off at first; kept over `suspendFor`. */
  setMouse(on: boolean): void;
  setTitle(title: string): void;
  /** Writes an invisible sequence, such as a notification or a clipboard sequence. */
  send(sequence: string): void;
  /** Gives the terminal to another program (an editor, a login command) while `run` runs, then redraws. */
  suspendFor<T>(run: () => Promise<T> | T): Promise<T>;
  /** Ctrl-Z: stops the process group and comes back with SIGCONT. */
  suspend(): Promise<void>;
}

/** Limits memory when the terminal accepts nothing: later frames replace each other. */
const pendingLimit = 256 * 1024;

export abstract class TerminalScreen implements Screen {
  abstract readonly kind: ScreenKind;
  protected readonly port: TerminalPort;
  readonly #watcher: ScreenWatcher | undefined;
  #started = false;
  #mouse = false;
  #title: string | undefined;
  #frame: Frame | undefined;
  #waiting = false;

  constructor(port: TerminalPort, options: ScreenOptions = {}) {
    this.port = port;
    this.#watcher = options.watcher;
  }

  get columns(): number {
    return Math.max(1, this.port.columns);
  }

  get rows(): number {
    return Math.max(1, this.port.rows);
  }

  get started(): boolean {
    return this.#started;
  }

  /** Written before the common modes are turned on. */
  protected abstract enter(): string;
  /** Written after the common modes are turned off. */
  protected abstract leave(): string;
  /** Resolves when a frame can be drawn; undefined when it can be drawn now. */
  protected ready(): Promise<void> | undefined {
    return undefined;
  }
  /** The sequence that shows a frame; empty when it is on the screen already. */
  protected abstract paint(frame: Frame): string;

  start(): void {
    if (this.#started) return;
    this.#started = true;
    // First, so that a kill -9 at any time after it finds somebody who restores the terminal.
    this.#watcher?.use(this.kind);
    this.port.setRaw(true);
    const title = this.#title === undefined ? "" : titleSequence(this.#title);
    this.port.write(`${this.enter()}${modesOn}${this.#mouse ? mouseOn : ""}${title}`);
    if (this.#frame) this.draw(this.#frame);
  }

  stop(): void {
    if (!this.#started) return;
    this.#started = false;
    // End mouse reporting before raw mode; otherwise the shell gets the reports as typed text.
    this.port.write(`${modesOff}${this.leave()}`);
    this.port.setRaw(false);
    this.#watcher?.use("off");
  }

  async settled(): Promise<void> {}

  draw(frame: Frame): void {
    this.#frame = frame;
    if (!this.#started || this.#waiting) return;
    const ready = this.port.pending > pendingLimit ? this.port.drained() : this.ready();
    if (ready !== undefined) {
      this.#waiting = true;
      void ready.then(() => {
        this.#waiting = false;
        if (this.#frame) this.draw(this.#frame);
      });
      return;
    }
    const output = this.paint(frame);
    if (output !== "") this.port.write(output);
  }

  setMouse(on: boolean): void {
    if (on === this.#mouse) return;
    this.#mouse = on;
    if (this.#started) this.port.write(on ? mouseOn : mouseOff);
  }

  setTitle(title: string): void {
    if (title === this.#title) return;
    this.#title = title;
    if (this.#started) this.port.write(titleSequence(title));
  }

  send(sequence: string): void {
    if (this.#started) this.port.write(sequence);
  }

  async suspendFor<T>(run: () => Promise<T> | T): Promise<T> {
    const wasStarted = this.#started;
    await this.settled();
    this.stop();
    try {
      return await run();
    } finally {
      this.port.refreshSize();
      if (wasStarted) this.start();
    }
  }

  async suspend(): Promise<void> {
    await this.suspendFor(stopProcessGroup);
  }
}

/** How long to wait for SIGCONT. A process group that no shell controls is never stopped and gets no SIGCONT either. */
const notStoppedMs = 150;

function stopProcessGroup(): Promise<void> {
  return new Promise((resolve) => {
    // The timer also keeps the process alive: stdin is paused, and nothing else may be pending.
    const timer = setTimeout(finish, notStoppedMs);
    function finish(): void {
      clearTimeout(timer);
      process.off("SIGCONT", finish);
      resolve();
    }
    process.on("SIGCONT", finish);
    // Stop the whole group, as the terminal does: a parent that only waits (npx, the launcher) has to stop too.
    process.kill(0, "SIGTSTP");
  });
}
