/** Keeps the last bytes of a stream in a ring buffer of fixed size. */
import type { Redactor } from "../../events/redact.ts";

/** Kept beyond the limit for redaction and never shown after a cut, because half a secret would not be recognised. */
const margin = 1024;

export class Tail {
  readonly #size: number;
  #ring: Buffer | undefined;
  #written = 0;

  constructor(maxBytes: number) {
    this.#size = maxBytes + margin;
  }

  push(chunk: Buffer): void {
    this.#ring ??= Buffer.alloc(this.#size);
    const kept = chunk.length > this.#size ? chunk.subarray(chunk.length - this.#size) : chunk;
    this.#written += chunk.length - kept.length;
    const at = this.#written % this.#size;
    const copied = kept.copy(this.#ring, at);
    kept.copy(this.#ring, 0, copied);
    this.#written += kept.length;
  }

  text(redact: Redactor): string {
    if (!this.#ring) return "";
    if (this.#written <= this.#size) return redact(this.#ring.toString("utf8", 0, this.#written));
    const at = this.#written % this.#size;
    return redact(Buffer.concat([this.#ring.subarray(at), this.#ring.subarray(0, at)]).toString()).slice(margin);
  }
}
