/** The line reader compared with the minimum: splitting Buffers at LF. `node bench/lines.ts` prints one JSON line for each line length. */
import { readLines } from "../src/process/output/lines.ts";
import { interleave, milliseconds, rounded } from "./pairs.ts";

const pairs = 30;
const chunkBytes = 64 * 1024;
const maxBytes = 128 * 1024 * 1024;

/** Lines of JSON, cut into chunks as a pipe delivers them. */
function chunksOf(lineBytes: number, totalBytes: number): readonly Buffer[] {
  const frame = JSON.stringify({ type: "delta", index: 0, text: "" });
  const line = frame.replace('""', `"${"x".repeat(Math.max(0, lineBytes - frame.length - 1))}"`);
  const all = Buffer.from(`${line}\n`.repeat(Math.max(1, Math.round(totalBytes / lineBytes))));
  return Array.from({ length: Math.ceil(all.length / chunkBytes) }, (_, index) =>
    Buffer.from(all.subarray(index * chunkBytes, (index + 1) * chunkBytes)),
  );
}

async function* arriving(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield chunk;
}

async function withReader(chunks: readonly Buffer[]): Promise<number> {
  let letters = 0;
  for await (const { lines } of readLines(arriving(chunks), maxBytes)) for (const line of lines) letters += line.length;
  return letters;
}

async function withFloor(chunks: readonly Buffer[]): Promise<number> {
  let letters = 0;
  let rest: Buffer[] = [];
  for await (const chunk of arriving(chunks)) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      const last = chunk.subarray(start, end);
      letters += (rest.length > 0 ? Buffer.concat([...rest, last]) : last).toString().length;
      rest = [];
      start = end + 1;
    }
    if (start < chunk.length) rest.push(chunk.subarray(start));
  }
  return letters;
}

function print(bench: string, result: { ratio: number; a: number; b: number; pairs: number }): void {
  const { ratio, a, b } = result;
  console.log(
    JSON.stringify({
      bench,
      ratio: rounded(ratio),
      floor: rounded(b),
      reins: rounded(a),
      unit: "MB/s",
      pairs: result.pairs,
    }),
  );
}

const rate = async (
  chunks: readonly Buffer[],
  read: (chunks: readonly Buffer[]) => Promise<number>,
): Promise<number> => {
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  return bytes / 1000 / (await milliseconds(() => read(chunks)));
};

// The floor is linear in the line length, so the last row shows whether the reader is linear too.
for (const [name, lineBytes] of [
  ["200B", 200],
  ["1MB", 1_000_000],
  ["60MB", 60_000_000],
] as const) {
  const chunks = chunksOf(lineBytes, Math.max(lineBytes, 20_000_000));
  print(
    `lines-${name}`,
    await interleave(
      pairs,
      () => rate(chunks, withReader),
      () => rate(chunks, withFloor),
    ),
  );
}
