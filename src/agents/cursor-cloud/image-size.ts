interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Reads PNG, JPEG, GIF and WebP; undefined for anything else. */
export function imageSize(bytes: Buffer): ImageSize | undefined {
  try {
    const size = sizeIn(bytes);
    return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
  } catch {
    return undefined;
  }
}

function sizeIn(bytes: Buffer): ImageSize | undefined {
  const has = (text: string, at: number): boolean => bytes.toString("latin1", at, at + text.length) === text;
  if (has("\x89PNG\r\n\x1a\n", 0) && has("IHDR", 12))
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  if (has("GIF87a", 0) || has("GIF89a", 0)) return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  if (has("\xff\xd8", 0)) return jpegSize(bytes);
  if (!has("RIFF", 0) || !has("WEBP", 8)) return undefined;
  if (has("VP8X", 12)) return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (has("VP8 ", 12) && has("\x9d\x01\x2a", 23))
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  if (!has("VP8L", 12) || !has("\x2f", 20)) return undefined;
  const bits = bytes.readUInt32LE(21);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

function jpegSize(bytes: Buffer): ImageSize | undefined {
  for (let at = 2; bytes.readUInt8(at) === 0xff;) {
    const marker = bytes.readUInt8(at + 1);
    // Markers of some tables are in the range of frame markers.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    const isFill = marker === 0xff;
    const isAlone = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
    if (isFill) at += 1;
    else at += isAlone ? 2 : 2 + Math.max(2, bytes.readUInt16BE(at + 2));
  }
  return undefined;
}
