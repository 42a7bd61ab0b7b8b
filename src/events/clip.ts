export interface Clipped {
  readonly text: string;
  /** How many bytes there were, as UTF-8. */
  readonly bytes: number;
  /** How many of them are here. */
  readonly kept: number;
}

/** As much of the beginning of a text as fits, in whole characters. */
export function clipText(text: string, maxBytes: number): Clipped {
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxBytes) return { text, bytes, kept: bytes };
  const room = Buffer.allocUnsafe(Math.max(0, Math.floor(maxBytes)));
  const kept = new TextEncoder().encodeInto(text.slice(0, room.length), room).written;
  // From the bytes, because a slice of the text would keep all of it in memory.
  return { text: room.toString("utf8", 0, kept), bytes, kept };
}
