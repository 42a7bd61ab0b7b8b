/**
 * Writes to the terminal of a program without waiting for the program to read. The stream of node-pty blocks the whole process in that
 * case: libuv writes to the master side of a terminal in blocking mode. The descriptor itself does not block, so it is written here.
 */
import { writeSync } from "node:fs";

/** How soon a terminal that was full is tried again. */
const retryMs = { first: 5, longest: 200 };

export interface PtyInputOptions {
  readonly fd: number;
  /** The descriptor is closed, and may be that of another file soon. */
  readonly isClosed: () => boolean;
  /** Instead of the system's. */
  readonly write?: ((fd: number, bytes: Buffer) => number) | undefined;
}

export class PtyInput {
  readonly #options: PtyInputOptions;
  readonly #waiting: Buffer[] = [];
  #timer: NodeJS.Timeout | undefined;
  #delay = retryMs.first;

  constructor(options: PtyInputOptions) {
    this.#options = options;
  }

  /** Bytes that the terminal has not taken. */
  get unread(): number {
    return this.#waiting.reduce((sum, { length }) => sum + length, 0);
  }

  write(bytes: Buffer | string): void {
    const buffer = typeof bytes === "string" ? Buffer.from(bytes) : bytes;
    if (buffer.length > 0) this.#waiting.push(buffer);
    if (this.#timer === undefined) this.#flush();
  }

  #flush(): void {
    this.#timer = undefined;
    const { fd, isClosed, write = writeSync } = this.#options;
    while (this.#waiting.length > 0) {
      if (isClosed()) return void (this.#waiting.length = 0);
      const [first] = this.#waiting as [Buffer];
      try {
        const taken = write(fd, first);
        this.#delay = retryMs.first;
        if (taken < first.length) this.#waiting[0] = first.subarray(taken);
        else this.#waiting.shift();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return void (this.#waiting.length = 0);
        this.#timer = setTimeout(() => this.#flush(), this.#delay).unref();
        this.#delay = Math.min(this.#delay * 2, retryMs.longest);
        return;
      }
    }
  }
}
