/** Files with valid image headers. The bytes after the header cannot be decoded. */

/** `bytes`: the minimum size. */
export function pngOf(width: number, height: number, bytes = 0): Buffer {
  const header = Buffer.from(
    "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x00\x00\x00\x00\x00\x08\x02\x00\x00\x00",
    "latin1",
  );
  header.writeUInt32BE(width, 16);
  header.writeUInt32BE(height, 20);
  return Buffer.concat([header, Buffer.alloc(Math.max(8, bytes - header.length), 7)]);
}

export function gifOf(width: number, height: number): Buffer {
  const header = Buffer.from("GIF89a\x00\x00\x00\x00\x00\x00\x00;", "latin1");
  header.writeUInt16LE(width, 6);
  header.writeUInt16LE(height, 8);
  return header;
}

/** Has a segment before the frame header. */
export function jpegOf(width: number, height: number): Buffer {
  const bytes = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc0, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  bytes.writeUInt16BE(height, 13);
  bytes.writeUInt16BE(width, 15);
  return bytes;
}
