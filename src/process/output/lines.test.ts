import { fc } from "../../../test/support/fast-check.ts";
import { expect, test } from "vitest";
import { LineSplitter, readLines } from "./lines.ts";
import type { LineBatch } from "../types.ts";

const noCap = 64 * 1024 * 1024;

/** A slow and obviously correct implementation, over all bytes at once. */
function reference(bytes: Buffer, maxBytes: number): LineBatch {
  const lines: string[] = [];
  let overlong = 0;
  const raw = bytes.toString("latin1").split("\n");
  raw.forEach((line, index) => {
    const isLast = index === raw.length - 1;
    if (isLast && line === "") return;
    if (line.length > maxBytes) overlong++;
    else lines.push(Buffer.from(isLast ? line : line.replace(/\r$/, ""), "latin1").toString());
  });
  return { lines, overlong };
}

function split(bytes: Buffer, cuts: readonly number[], maxBytes: number): LineBatch {
  const splitter = new LineSplitter(maxBytes);
  const lines: string[] = [];
  let overlong = 0;
  const take = (batch: LineBatch | undefined): void => {
    lines.push(...(batch?.lines ?? []));
    overlong += batch?.overlong ?? 0;
  };
  const edges = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  edges.slice(1).forEach((end, index) => take(splitter.push(bytes.subarray(edges[index], end))));
  take(splitter.end());
  return { lines, overlong };
}

const texts = fc.array(
  fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("\n", "\r\n", "\r", "\u2028", "\u2029", "ü→😀", '{"a":1}\n', "\n\n"),
  ),
);

test("splits any text into the same lines, however it is chunked", () => {
  fc.assert(
    fc.property(texts, fc.array(fc.nat()), (parts, cuts) => {
      const bytes = Buffer.from(parts.join(""));
      expect(split(bytes, cuts, noCap)).toEqual(reference(bytes, noCap));
    }),
    { numRuns: 500 },
  );
});

test("splits any bytes with any limit into the same lines, however they are chunked", () => {
  const bytes = fc
    .array(fc.oneof(fc.constantFrom(10, 13), fc.nat(255)), { maxLength: 200 })
    .map((list) => Buffer.from(list));
  fc.assert(
    fc.property(bytes, fc.array(fc.nat()), fc.integer({ min: 1, max: 40 }), (input, cuts, cap) => {
      expect(split(input, cuts, cap)).toEqual(reference(input, cap));
    }),
    { numRuns: 500 },
  );
});

test("keeps U+2028 and U+2029 inside their line", () => {
  const line = JSON.stringify({ text: "a\u2028b\u2029c" });
  expect(split(Buffer.from(`${line}\n`), [], noCap).lines).toEqual([line]);
});

test("counts an overlong line once, drops it and continues", () => {
  const splitter = new LineSplitter(100);
  const megabyte = Buffer.alloc(1024 * 1024, "x");
  expect(splitter.push(Buffer.from("before\n"))).toEqual({ lines: ["before"], overlong: 0 });
  expect(splitter.push(megabyte)).toEqual({ lines: [], overlong: 1 });
  for (let i = 0; i < 50; i++) expect(splitter.push(megabyte)).toBeUndefined();
  expect(splitter.push(Buffer.from("end\nafter\nlast"))).toEqual({ lines: ["after"], overlong: 0 });
  expect(splitter.end()).toEqual({ lines: ["last"], overlong: 0 });
  expect(splitter.end()).toBeUndefined();
});

test("accepts a line of exactly the limit, and none that is one byte longer", () => {
  expect(split(Buffer.from("12345\n123456\n"), [], 5)).toEqual({ lines: ["12345"], overlong: 1 });
  expect(split(Buffer.from("12345\n123456\n"), [3, 9], 5)).toEqual({ lines: ["12345"], overlong: 1 });
});

test("reads one line of 60 MB in pieces of 64 KiB, then pieces of one byte", () => {
  const splitter = new LineSplitter(noCap);
  const piece = Buffer.alloc(64 * 1024, "y");
  for (let i = 0; i < 960; i++) splitter.push(piece);
  const [line] = splitter.push(Buffer.from("\n"))?.lines ?? [];
  expect(line?.length).toBe(960 * 64 * 1024);
  const byte = Buffer.from("z");
  for (let i = 0; i < 300_000; i++) splitter.push(byte);
  expect(splitter.end()?.lines[0]?.length).toBe(300_000);
});

test("yields one batch per chunk that ends a line, and pulls no chunk early", async () => {
  let pulled = 0;
  async function* chunks(): AsyncGenerator<Buffer> {
    for (const text of ["a\nb\nc", "d", "e\n", "f"]) {
      pulled++;
      yield Buffer.from(text);
    }
  }
  const lines = readLines(chunks(), noCap);
  expect(pulled).toBe(0);
  expect((await lines.next()).value).toEqual({ lines: ["a", "b"], overlong: 0 });
  expect(pulled).toBe(1);
  expect((await lines.next()).value).toEqual({ lines: ["cde"], overlong: 0 });
  expect((await lines.next()).value).toEqual({ lines: ["f"], overlong: 0 });
  expect((await lines.next()).done).toBe(true);
});
