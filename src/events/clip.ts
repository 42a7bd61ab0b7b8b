export interface Clipped {
  readonly text: string;
  /** Size of the whole text as UTF-8. */
  readonly bytes: number;
  readonly kept: number;
}

/** Cuts the end of a text, never inside a character. */
export function clipText(text: string, maxBytes: number): Clipped {
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxBytes) return { text, bytes, kept: bytes };
  const room = Buffer.allocUnsafe(Math.max(0, Math.floor(maxBytes)));
  const kept = new TextEncoder().encodeInto(text.slice(0, room.length), room).written;
  // Decode from the buffer: a slice of the string would keep the whole string in memory.
  return { text: room.toString("utf8", 0, kept), bytes, kept };
}
