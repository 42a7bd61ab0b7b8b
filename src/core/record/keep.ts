import { clipText } from "../../events/clip.ts";
import type { Redactor } from "../../events/redact.ts";

/** Where the whole goes of what is cut; undefined where it cannot be kept. */
export type Put = (content: string | Uint8Array) => string | undefined;

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
