import { expect, test } from "vitest";
import { fc } from "../../../test/support/fast-check.ts";
import { imageSize } from "./image-size.ts";

const bytes = (...parts: readonly (string | readonly number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))));
const png = bytes("\x89PNG\r\n\x1a\n", [0, 0, 0, 13], "IHDR", [0, 0, 2, 128, 0, 0, 1, 224]);
const webp = (kind: string, ...rest: readonly (readonly number[])[]): Buffer =>
  bytes("RIFF", [0, 0, 0, 0], "WEBP", kind, [0, 0, 0, 0], ...rest);
const frame = (marker: number): readonly number[] => [0xff, marker, 0, 11, 8, 1, 224, 2, 128, 3];
const exif = [0xff, 0xe1, 0, 6, 0xff, 0xc0, 1, 2];
const codes = [0xff, 0xc4, 0, 4, 9, 9];

test.each([
  ["PNG", png],
  ["GIF87a", bytes("GIF87a", [128, 2, 224, 1])],
  ["GIF89a", bytes("GIF89a", [128, 2, 224, 1])],
  ["JPEG", bytes([0xff, 0xd8], frame(0xc0))],
  ["JPEG, progressive, behind other segments", bytes([0xff, 0xd8], exif, codes, [0xff], frame(0xc2))],
  ["lossy WebP", webp("VP8 ", [0, 0, 0], [0x9d, 0x01, 0x2a], [128, 0x42, 224, 1])],
  // 639 and 479, 14 bits each.
  ["lossless WebP", webp("VP8L", [0x2f, 0x7f, 0xc2, 0x77, 0])],
  ["WebP, extended", webp("VP8X", [0, 0, 0, 0], [0x7f, 2, 0], [0xdf, 1, 0])],
])("reads the size of %s", (_kind, image) => {
  expect(imageSize(image)).toEqual({ width: 640, height: 480 });
  // A truncated image has no size, and never a wrong one.
  for (let length = 0; length < image.length; length++)
    expect([undefined, { width: 640, height: 480 }]).toContainEqual(imageSize(image.subarray(0, length)));
});

test("reads a real image of a single pixel", () => {
  const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
  expect(imageSize(Buffer.from(pixel, "base64"))).toEqual({ width: 1, height: 1 });
});

test.each([
  ["nothing", bytes("")],
  ["a text", bytes("GIF of a cat")],
  ["no width", bytes("GIF89a", [0, 0, 1, 0])],
  ["a JPEG without a frame", bytes([0xff, 0xd8, 0xff, 0xd9])],
  ["a damaged JPEG", bytes([0xff, 0xd8], exif, [1, 2, 3, 4, 5, 6, 7, 8])],
  ["another WebP", webp("VP9 ", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0])],
])("finds no size in %s", (_what, image) => expect(imageSize(image)).toBeUndefined());

test("terminates and never throws for any input", () => {
  const heads = ["\x89PNG\r\n\x1a\n", "GIF89a", "\xff\xd8\xff", "RIFF\0\0\0\0WEBPVP8 ", ""];
  fc.assert(
    fc.property(fc.constantFrom(...heads), fc.uint8Array({ maxLength: 60 }), (head, rest) => {
      const size = imageSize(bytes(head, [...rest]));
      expect(size === undefined || (size.width > 0 && size.height > 0)).toBe(true);
    }),
  );
});
