import { writeSync } from "node:fs";

/** Writes synchronously: `process.stdout` would lose unread output at an exit. */
export function write(descriptor: 1 | 2, text: string): void {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length;) {
    try {
      from += writeSync(descriptor, bytes, from);
    } catch (thrown) {
      // EAGAIN: the reader is slow and the pipe is not blocking, so try again.
      if ((thrown as NodeJS.ErrnoException).code !== "EAGAIN") return;
    }
  }
}

export const say = (text: string): void => write(1, `${text}\n`);
export const complain = (text: string): void => write(2, `${text}\n`);

/** Ends the program with this exit code and this sentence on stderr. */
export class Ending extends Error {
  readonly code: number;

  constructor(code: number, message = "") {
    super(message);
    this.code = code;
  }
}
