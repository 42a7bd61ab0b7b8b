import { clipText } from "../../events/clip.ts";
import type { Redactor, StreamRedactor } from "../../events/redact.ts";

/** What a call puts out while it runs: as much as is kept of a whole output, and no secret that its pieces cut in two. */
export class LiveOutput {
  readonly #redact: StreamRedactor;
  /** Bytes that may still be shown. */
  #room: number;

  constructor(redact: Redactor, maxBytes: number) {
    this.#redact = redact.stream();
    this.#room = maxBytes;
  }

  /** As much of it as can be shown now. */
  push(piece: string): string {
    if (this.#room === 0) return "";
    const cut = piece.length > this.#room;
    const shown = this.#show(this.#redact.push(piece.slice(0, this.#room)));
    // What comes after a cut is no continuation of what was held back before it.
    if (cut) this.#room = 0;
    return shown;
  }

  /** What was held back, when nothing more comes. */
  flush(): string {
    return this.#room === 0 ? "" : this.#show(this.#redact.flush());
  }

  #show(text: string): string {
    const clipped = clipText(text, this.#room);
    this.#room = clipped.kept < clipped.bytes ? 0 : this.#room - clipped.kept;
    return clipped.text;
  }
}
