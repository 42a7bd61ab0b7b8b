/** Limits and redacts the text, images and tool output in events. */
import { clipText } from "../../events/clip.ts";
import type { Redactor, StreamRedactor } from "../../events/redact.ts";
import type { Content } from "../../events/types.ts";

/** Stores content that was cut and returns its reference. Undefined when it cannot be stored. */
export type SaveBlob = (content: string | Uint8Array) => string | undefined;

/** Cuts a text to `maxBytes` and redacts it. Only that much is processed, so a huge text costs no more. */
export function keep(text: string, maxBytes: number, redact: Redactor): { text: string; kept: number; whole: boolean } {
  if (text.length <= maxBytes) {
    const clipped = clipText(redact(text), maxBytes);
    return { text: clipped.text, kept: clipped.kept, whole: clipped.kept === clipped.bytes };
  }
  // Redact as a stream: a secret that crosses the cut is held back.
  const clipped = clipText(redact.stream().push(text.slice(0, maxBytes)), maxBytes);
  return { text: clipped.text, kept: clipped.kept, whole: false };
}

/** Moves the bytes of large images to the store. */
export function slimmed(content: readonly Content[], maxBytes: number, put: SaveBlob | undefined): Content[] {
  return content.map((block) => {
    if (block.type !== "image" || block.data === undefined || block.data.length <= maxBytes) return block;
    const bytes = Buffer.from(block.data, "base64");
    const ref = put?.(bytes);
    if (ref === undefined) return block;
    const { data: _data, ...rest } = block;
    return { ...rest, bytes: bytes.length, ref };
  });
}

/** Output of a running call: limited like a whole output, and without secrets that are split over pieces. */
export class ToolOutputLimit {
  readonly #redact: StreamRedactor;
  #room: number;

  constructor(redact: Redactor, maxBytes: number) {
    this.#redact = redact.stream();
    this.#room = maxBytes;
  }

  push(piece: string): string {
    if (this.#room === 0) return "";
    const cut = piece.length > this.#room;
    const shown = this.#show(this.#redact.push(piece.slice(0, this.#room)));
    // Text after a cut does not continue the text that was held back before it.
    if (cut) this.#room = 0;
    return shown;
  }

  flush(): string {
    return this.#room === 0 ? "" : this.#show(this.#redact.flush());
  }

  #show(text: string): string {
    const clipped = clipText(text, this.#room);
    this.#room = clipped.kept < clipped.bytes ? 0 : this.#room - clipped.kept;
    return clipped.text;
  }
}
