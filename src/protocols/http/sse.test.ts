import { expect, test } from "vitest";
import { fc } from "../../../test/support/fast-check.ts";
import { Frames } from "./sse.ts";
import type { ServerEvent } from "./client.ts";

const stream = (text: string): Buffer => Buffer.from(text);

function read(text: string, maxBytes = 1_000): { events: ServerEvent[]; overlong: number; frames: Frames } {
  const frames = new Frames(maxBytes);
  const { events, overlong } = frames.push(stream(text));
  return { events: [...events], overlong, frames };
}

test("ends an event at an empty line", () => {
  expect(read("data: a\n\ndata:b\ndata\n\ndata: c\n").events).toEqual([
    { type: "message", data: "a", id: "" },
    { type: "message", data: "b\n", id: "" },
  ]);
});

test("reads names, ids, comments and CRLF line ends", () => {
  const { events, frames } = read(
    ": hello\r\nevent: ping\r\nid: 7\r\ndata: x\r\n\r\nretry: 250\nretry: soon\nid\ndata: y\nother: z\n\nid: 8\n\n",
  );
  expect(events).toEqual([
    { type: "ping", data: "x", id: "7" },
    { type: "message", data: "y", id: "" },
  ]);
  expect(frames.retryMs).toBe(250);
  expect(frames.lastId).toBe("8");
});

test.each([
  ["CR alone", "data: a\r\rdata: b\rdata: c\r\r"],
  ["CR, LF and both mixed", "data: a\r\n\rdata: b\ndata: c\r\n\r\n"],
  ["a mark at the beginning", "\uFEFFdata: a\n\ndata: b\ndata: c\n\n"],
  ["a mark and CR", "\uFEFFdata: a\r\rdata: b\rdata: c\r\r"],
])("reads the same events whole and byte by byte: %s", (_, text) => {
  const events = [
    { type: "message", data: "a", id: "" },
    { type: "message", data: "b\nc", id: "" },
  ];
  expect(read(text).events).toEqual(events);
  const frames = new Frames(1_000);
  expect(Array.from(stream(text), (byte) => frames.push(Buffer.of(byte)).events).flat()).toEqual(events);
});

test("removes a byte order mark only at the start of the stream", () => {
  expect(read("data: a\n\n\uFEFFdata: b\n\n").events).toEqual([{ type: "message", data: "a", id: "" }]);
});

test("emits an event that ends with CR at once, and does not count the following LF as a line", () => {
  const frames = new Frames(1_000);
  expect(frames.push(stream("data: a\r\n\r")).events).toHaveLength(1);
  expect(frames.push(stream("\ndata: b\r")).events).toEqual([]);
  expect(frames.push(stream("\n\r\n")).events).toMatchObject([{ data: "b" }]);
});

test("leaves out overlong events and reads the rest", () => {
  expect(read(`data: ${"x".repeat(200)}\n\ndata: a\n\n`, 100)).toMatchObject({ events: [{ data: "a" }], overlong: 1 });
  const many = `data: ${"x".repeat(60)}\n`.repeat(3);
  expect(read(`${many}\ndata: a\n\n`, 100)).toMatchObject({ events: [{ data: "a" }], overlong: 1 });
});

test("reads the same events however the stream is cut into chunks", () => {
  const text = 'id: 1\ndata: {"a":"Grüße, 世界 👩‍👩‍👧\u2028"}\n\n: beat\n\nevent: e\r\ndata: b\r\ndata: c\r\n\r\n';
  const bytes = stream(text);
  const whole = read(text).events;
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length), { maxLength: 20 }), (places) => {
      const frames = new Frames(1_000);
      const cuts = [0, ...places.toSorted((a, b) => a - b), bytes.length];
      const events = cuts.slice(1).flatMap((end, index) => frames.push(bytes.subarray(cuts[index], end)).events);
      expect(events).toEqual(whole);
    }),
  );
});
