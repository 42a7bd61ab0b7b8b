/** How much of a text, an image or the output of a tool stands in events; secrets are taken out. */
import { clipText } from "../../events/clip.ts";
import type { Redactor, StreamRedactor } from "../../events/redact.ts";
import type { Content } from "../../events/types.ts";

/** Where the whole goes of what is cut; undefined where it cannot be kept. */
export type SaveBlob = (content: string | Uint8Array) => string | undefined;

/** The first of a text, up to so many bytes, with its secrets taken out. Only that much is looked at: a huge text costs no more. */
export function keep(text: string, maxBytes: number, redact: Redactor): { text: string; kept: number; whole: boolean } {
  if (text.length <= maxBytes) {
    const clipped = clipText(redact(text), maxBytes);
    return { text: clipped.text, kept: clipped.kept, whole: clipped.kept === clipped.bytes };
  }
  // As a stream that goes on: a secret that begins before the cut and ends behind it is held back.
  const clipped = clipText(redact.stream().push(text.slice(0, maxBytes)), maxBytes);
  return { text: clipped.text, kept: clipped.kept, whole: false };
}

/** Blocks of content, with the bytes of large images in a place of their own. */
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

/** What a call puts out while it runs: as much as is kept of a whole output, and no secret that its pieces cut in two. */
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
    // What comes after a cut is no continuation of what was held back before it.
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
