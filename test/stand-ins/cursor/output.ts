import { writeSync } from "node:fs";

/** Past `process.stdout`, which would lose at an exit what the reader has not taken. */
export function write(descriptor: 1 | 2, text: string): void {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length;) {
    try {
      from += writeSync(descriptor, bytes, from);
    } catch (thrown) {
      // The reader is slow, and the pipe does not wait by itself.
      if ((thrown as NodeJS.ErrnoException).code !== "EAGAIN") return;
    }
  }
}

export const say = (text: string): void => write(1, `${text}\n`);
export const complain = (text: string): void => write(2, `${text}\n`);

/** It ends with this code, and this sentence on stderr. */
export class Ending extends Error {
  readonly code: number;

  constructor(code: number, message = "") {
    super(message);
    this.code = code;
  }
}
