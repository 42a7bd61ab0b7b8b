import { PassThrough } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { readChunks } from "./chunks.ts";

const never = new Promise<never>(() => {});

async function all(chunks: AsyncIterable<Buffer>): Promise<string> {
  let text = "";
  for await (const chunk of chunks) text += chunk.toString();
  return text;
}

test("yields all chunks in order", async () => {
  const stream = new PassThrough();
  const text = all(readChunks(stream, never, 1000));
  for (let i = 0; i < 100; i++) stream.write(`${i},`);
  stream.end("end");
  expect(await text).toBe(`${Array.from({ length: 100 }, (_, i) => i).join(",")},end`);
});

test("pauses the stream while nobody pulls", async () => {
  const stream = new PassThrough({ highWaterMark: 1000 });
  const chunks = readChunks(stream, never, 1000);
  for (let i = 0; i < 5; i++) stream.write(Buffer.alloc(200_000));
  for (let i = 0; i < 10; i++) await setImmediate();
  expect(stream.isPaused()).toBe(true);
  expect(stream.writableNeedDrain).toBe(true);
  stream.end();
  expect(await all(chunks)).toHaveLength(1_000_000);
});

test("reads the rest after the exit without a reader, and keeps it", async () => {
  const stream = new PassThrough();
  const chunks = readChunks(stream, Promise.resolve(), 1000);
  stream.write("one");
  await setImmediate();
  stream.write("two");
  stream.end();
  while (!stream.destroyed) await setImmediate();
  expect(await all(chunks)).toBe("onetwo");
});

test("ends a pipe that is held open after the exit once it is silent", async () => {
  const stream = new PassThrough();
  stream.write("last words");
  expect(await all(readChunks(stream, Promise.resolve(), 5))).toBe("last words");
  expect(stream.destroyed).toBe(true);
});

test("ends a pipe that is filled for ever after the exit", async () => {
  const stream = new PassThrough();
  const flood = (): void => {
    if (!stream.destroyed) stream.write(Buffer.alloc(256 * 1024), () => process.nextTick(flood));
  };
  flood();
  expect((await all(readChunks(stream, Promise.resolve(), 60_000))).length).toBeLessThan(16 * 1024 * 1024);
});

test("ends at an error of the pipe", async () => {
  const stream = new PassThrough();
  const text = all(readChunks(stream, never, 1000));
  stream.write("some");
  await setImmediate();
  stream.destroy(new Error("EIO"));
  expect(await text).toBe("some");
});

test("does not block the writer when the reader leaves", async () => {
  const stream = new PassThrough({ highWaterMark: 10 });
  stream.write("first");
  for await (const chunk of readChunks(stream, never, 1000)) {
    expect(chunk.toString()).toBe("first");
    break;
  }
  for (let i = 0; i < 100; i++) await new Promise((resolve) => stream.write("more than ten bytes", resolve));
  stream.end();
  while (!stream.readableEnded) await setImmediate();
});
