/** Reads type and size from the first bytes of an image. Names and types given by an agent are not trusted. */

export interface ImageFacts {
  readonly type: "png" | "jpeg" | "gif";
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

export const mostImageBytes = 5_000_000;
const mostPixels = 50_000_000;

/** Undefined for anything but an image of a known type, for an empty image, and for one that is too large to decode. */
export function imageFacts(bytes: Uint8Array): ImageFacts | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const facts = pngFacts(view) ?? gifFacts(view) ?? jpegFacts(view);
  if (facts === undefined) return undefined;
  const pixels = facts.width * facts.height;
  return pixels > 0 && pixels <= mostPixels ? facts : undefined;
}

/** The signature, and IHDR as the first chunk. */
function pngFacts(view: DataView): ImageFacts | undefined {
  if (view.byteLength < 33 || view.getBigUint64(0) !== 0x89504e470d0a1a0an) return undefined;
  if (view.getUint32(8) !== 13 || view.getUint32(12) !== 0x49484452) return undefined;
  return { type: "png", width: view.getUint32(16), height: view.getUint32(20) };
}

/** `GIF87a` or `GIF89a`. */
function gifFacts(view: DataView): ImageFacts | undefined {
  if (view.byteLength < 13 || view.getUint32(0) !== 0x47494638) return undefined;
  const version = view.getUint16(4);
  if (version !== 0x3761 && version !== 0x3961) return undefined;
  return { type: "gif", width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

/** The size is in the first frame header; the segments before it are skipped by their lengths. */
function jpegFacts(view: DataView): ImageFacts | undefined {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 9 <= view.byteLength;) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (isFrameHeader(marker)) return { type: "jpeg", height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    const length = view.getUint16(at + 2);
    // The image data begins, or the length is wrong.
    if (marker === 0xda || length < 2) return undefined;
    at += 2 + length;
  }
  return undefined;
}

/** True for the JPEG markers SOF0 to SOF15. The same range also has DHT (C4), JPG (C8) and DAC (CC), which are not frame headers. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}
