/** A short command to its end: a version, a status. */
import type { Redactor } from "../events/redact.ts";
import type { Running } from "./running.ts";
import type { Exit, Output } from "./types.ts";

/** More than this of its output is read and left out. */
const keptBytes = 1024 * 1024;

export async function runToEnd(running: Running, deadlineMs: number, redact: Redactor): Promise<Output> {
  const kept: Buffer[] = [];
  const late = Promise.withResolvers<void>();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    late.resolve();
  }, deadlineMs);
  let bytes = 0;
  const finished = collect(running.stdout, (chunk) => {
    if (bytes < keptBytes) kept.push(chunk.subarray(0, keptBytes - bytes));
    bytes += chunk.length;
  }).then(() => running.cleared);
  const exit: Exit = await Promise.race([finished, late.promise.then(() => running.stop(false))]);
  clearTimeout(timer);
  const stdout = Buffer.concat(kept).toString();
  return { ...exit, stdout, stderr: running.stderr.text(redact), timedOut, truncated: bytes > keptBytes };
}

async function collect(chunks: AsyncIterable<Buffer>, take: (chunk: Buffer) => void): Promise<void> {
  for await (const chunk of chunks) take(chunk);
}
