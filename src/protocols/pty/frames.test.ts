import { expect, test } from "vitest";
import { frame, FrameReader, longestFrameBytes } from "./frames.ts";

test("reads the frames that were written, however the stream is cut", () => {
  const bytes = Buffer.concat([
    frame("hello", { columns: 1 }),
    frame("output", Buffer.from([0, 255])),
    frame("detach"),
  ]);
  for (const size of [1, 3, 7, bytes.length]) {
    const reader = new FrameReader();
    const frames = [];
    for (let at = 0; at < bytes.length; at += size) frames.push(...reader.push(bytes.subarray(at, at + size)));
    expect(frames.map(({ kind, bytes: content }) => [kind, content.toString("latin1")])).toEqual([
      ["hello", '{"columns":1}'],
      ["output", "\x00\xff"],
      ["detach", ""],
    ]);
  }
});

test("refuses other bytes", () => {
  expect(() => new FrameReader().push(Buffer.from("GET / HTTP/1.1"))).toThrow("not a frame");
  const long = frame("input");
  long.writeUInt32BE(longestFrameBytes + 1, 1);
  expect(() => new FrameReader().push(long)).toThrow("not a frame");
});
